import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf, succeeded } from '../../lib/api.ts'
import { ofName } from '../../lib/domains.ts'
import { wholeName } from '../../lib/names.ts'
import { requireLeave } from '../../lib/removal.ts'

export default class DomainsWildcard extends AccountCommand {
  static override summary = 'Let a name answer for every name below it.'
  static override description =
    'The wildcard has the addresses of its name and goes with it. It counts towards no limit; not every plan has wildcards.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --remove --yes',
  ]
  static override jsonFields = ['fqdn', 'wildcard_enabled']
  static override args = {
    name: Args.string({ description: 'a name of yours, whole or short', required: true }),
  }
  static override flags = {
    remove: Flags.boolean({ description: 'take the wildcard away' }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsWildcard)
    return this.asCaller(flags, async ({ api }) => {
      const base = await wholeName(api, args.name)
      const fqdn = `*.${base}`
      if (flags.remove) {
        await requireLeave(this.asking(flags), flags, `Remove the wildcard ${fqdn}?`)
        const params = { path: { fqdn } }
        succeeded(ofName(fqdn, await api.DELETE('/api/domains/fqdn/{fqdn}', { params })))
        this.print(fqdn)
        this.note(
          `Removed. Names below ${base} no longer answer.`,
          `Next: homing domains show ${base}`,
        )
        return { fqdn, wildcard_enabled: false }
      }
      const answer = await api.POST('/api/domains/wildcard', { body: { base_fqdn: base } })
      const wildcard = bodyOf(ofName(base, answer), 'fqdn')
      this.print(wildcard.fqdn)
      this.note(`Every name below ${base} answers now.`, `Next: homing resolve any.${base}`)
      return { fqdn: wildcard.fqdn, wildcard_enabled: true }
    })
  }
}
