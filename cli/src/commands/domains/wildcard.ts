import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf, succeeded } from '../../lib/api.ts'
import { ofName } from '../../lib/domains.ts'
import { wholeName } from '../../lib/names.ts'
import { requireLeave } from '../../lib/removal.ts'

export default class DomainsWildcard extends AccountCommand {
  static override summary = 'Make DNS answer for every name below a domain.'
  static override description =
    'The wildcard has the addresses of its domain and is removed with it. It does not count towards a limit. Not every plan has wildcards.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home.example.net --remove --yes',
  ]
  static override jsonFields = ['fqdn', 'wildcard_enabled']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    remove: Flags.boolean({ description: 'remove the wildcard' }),
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
          `Removed. DNS no longer answers for names below ${base}.`,
          `Next: homing domains show ${base}`,
        )
        return { fqdn, wildcard_enabled: false }
      }
      const answer = await api.POST('/api/domains/wildcard', { body: { base_fqdn: base } })
      const wildcard = bodyOf(ofName(base, answer), 'fqdn')
      this.print(wildcard.fqdn)
      this.note(`DNS now answers for every name below ${base}.`, `Next: homing resolve any.${base}`)
      return { fqdn: wildcard.fqdn, wildcard_enabled: true }
    })
  }
}
