import { DOMAIN_STATUS, MONITOR_STATES } from '@homing/openapi/vocabulary'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import type { AccountFlags } from '../../lib/credentials.ts'
import { listOf } from '../../lib/api.ts'
import { DOMAIN_FIELDS, domainListing } from '../../lib/domains.ts'
import { DELETED_FIELDS, deletedDomains, deletedListing } from '../../lib/deleted-domains.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class Domains extends AccountCommand {
  static override summary = 'List your domains and their addresses.'
  static override aliases = ['domains:list', 'domains:ls']
  static override description =
    'In a pipe, each line has domain, IPv4 address, IPv6 address, TTL, state and last update, separated by tabs; with --deleted domain, addresses, time of the deletion, and until when it can be restored.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --zone example.net --search office',
    '<%= config.bin %> <%= command.id %> --monitor down --json=fqdn,record_ipv4',
  ]
  static override jsonFields = [...new Set([...DOMAIN_FIELDS, ...DELETED_FIELDS])]
  static override flags = {
    zone: Flags.string({ description: 'only domains in this zone', helpValue: 'ZONE' }),
    search: Flags.string({
      description: 'only domains with this text in the domain or an address',
      helpValue: 'TEXT',
    }),
    tag: Flags.string({ description: 'only domains with this tag', helpValue: 'TAG' }),
    note: Flags.string({
      description: 'only domains with this text in the note',
      helpValue: 'TEXT',
    }),
    status: Flags.option({
      description: 'only domains in this state',
      options: DOMAIN_STATUS,
    })(),
    monitor: Flags.option({
      description: 'only domains whose monitor is in this state, or is turned on',
      options: ['on', ...MONITOR_STATES] as const,
    })(),
    type: Flags.option({
      description: 'only domains that have an address of this type',
      options: ['A', 'AAAA'] as const,
    })(),
    ip: Flags.string({
      description: 'only domains with an address that begins like this',
      helpValue: 'ADDRESS',
    }),
    deleted: Flags.boolean({
      description: 'the domains that you deleted and can restore',
      exclusive: ['zone', 'tag', 'note', 'status', 'monitor', 'type', 'ip'],
    }),
  }

  #isDeleted = false

  protected override get usualFields() {
    return this.#isDeleted ? DELETED_FIELDS : DOMAIN_FIELDS
  }

  async run() {
    const { flags } = await this.parse(Domains)
    if (flags.deleted) return this.#listDeleted(flags)
    const { zone, search, tag, note, status, monitor, type, ip } = flags
    const filter = {
      ...(zone && { zone }),
      ...(search && { q: search }),
      ...(tag && { tag }),
      ...(note && { note }),
      ...(status && { status }),
      ...(monitor && { monitor }),
      ...(type && { type }),
      ...(ip && { ip: ip.toLowerCase() }),
    }
    const isFiltered = Object.keys(filter).length > 0
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

  async #listDeleted(flags: AccountFlags & { readonly search?: string | undefined }) {
    this.#isDeleted = true
    const domains = await this.asCaller(flags, ({ api }) => deletedDomains(api, flags.search))
    this.print(await listed(domains, deletedListing))
    const [last] = domains
    if (last === undefined) this.note('You have no deleted domains that can be restored.')
    else
      this.note(
        `${counted(domains.length, 'domain')}.`,
        `Next: homing domains restore ${last.fqdn}`,
      )
    return domains
  }
}
