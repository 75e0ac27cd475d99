import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { canonicalName } from '../../lib/canonical-name.ts'
import { deletedDomains } from '../../lib/deleted-domains.ts'
import { addressesOf, DOMAIN_FIELDS } from '../../lib/domains.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { wholeName } from '../../lib/names.ts'
import { fieldLine } from '../../lib/output.ts'
import { printable } from '../../lib/text.ts'

export default class DomainsRestore extends AccountCommand {
  static override summary = 'Restore a domain that you removed.'
  static override description =
    'It returns with its addresses, history, note, tags, wildcard, update token, records, web forward and the settings of its monitor. Possible for 30 days. If you removed the domain several times, the last one returns.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({
      description: 'the removed domain, in full or its first label',
      required: true,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsRestore)
    const domain = await this.asCaller(flags, async ({ api }) => {
      const fqdn = canonicalName(await wholeName(api, args.name))
      const found = (await deletedDomains(api, fqdn)).find((deleted) => deleted.fqdn === fqdn)
      if (found === undefined) {
        const message = `You have no deleted domain ${printable(fqdn)}. List them: homing domains --deleted`
        throw new CommandFailure(EXIT.notFound, message)
      }
      const params = { path: { id: found.id } }
      return bodyOf(await api.POST('/api/domains/{id}/restore', { params }), 'fqdn')
    })
    this.print(fieldLine([domain.fqdn, ...addressesOf(domain)]))
    this.note('Restored.', `Next: homing domains show ${domain.fqdn}`)
    return domain
  }
}
