import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { DOMAIN_FIELDS, domainListing } from '../../lib/domains.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class Domains extends AccountCommand {
  static override summary = 'List your names and their addresses.'
  static override description =
    'In a pipe: a line each with name, IPv4 address, IPv6 address, TTL, state and last update, tabs between them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --zone example.net --search office',
    '<%= config.bin %> <%= command.id %> --json=fqdn,record_ipv4',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override flags = {
    zone: Flags.string({ description: 'of this zone alone', helpValue: 'ZONE' }),
    search: Flags.string({
      description: 'with this text in the name or an address',
      helpValue: 'TEXT',
    }),
  }

  async run() {
    const { flags } = await this.parse(Domains)
    const { zone, search } = flags
    const isFiltered = zone !== undefined || search !== undefined
    const filter = { ...(zone && { zone }), ...(search && { q: search }) }
    const domains = await this.asCaller(flags, async ({ api }) =>
      listOf(
        await api.GET('/api/domains', {
          params: {
            query: { sort: '["fqdn","ASC"]', filter: JSON.stringify(filter) },
          },
        }),
        'fqdn',
      ),
    )
    this.print(await listed(domains, domainListing))
    if (domains.length > 0) this.note(`${counted(domains.length, 'name')}.`)
    else if (isFiltered) this.note('No name of yours is like that. All of them: homing domains')
    else this.note('You have no names. The first one: homing domains add NAME')
    return domains
  }
}
