import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { DOMAIN_FIELDS, domainListing } from '../../lib/domains.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class Domains extends AccountCommand {
  static override summary = 'List your domains and their addresses.'
  static override aliases = ['domains:list', 'domains:ls']
  static override description =
    'In a pipe, each line has domain, IPv4 address, IPv6 address, TTL, state and last update, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --zone example.net --search office',
    '<%= config.bin %> <%= command.id %> --json=fqdn,record_ipv4',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override flags = {
    zone: Flags.string({ description: 'only domains in this zone', helpValue: 'ZONE' }),
    search: Flags.string({
      description: 'only domains with this text in the domain or an address',
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
    if (domains.length > 0) this.note(`${counted(domains.length, 'domain')}.`)
    else if (isFiltered) this.note('None of your domains match. List all: homing domains')
    else this.note('You have no domains. Register one: homing domains add DOMAIN')
    return domains
  }
}
