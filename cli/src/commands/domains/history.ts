import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { EVENT_FIELDS, eventListing, newestEvents } from '../../lib/domain-history.ts'
import { findDomain } from '../../lib/domains.ts'
import { listed } from '../../lib/output.ts'

export default class DomainsHistory extends AccountCommand {
  static override summary = 'List what changed about a domain, by whom and from where.'
  static override description =
    'The newest event is first. In a pipe, each line has id, time, kind, change, actor, address, country and client, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --limit 500 --json=at,kind,old,new',
  ]
  static override jsonFields = EVENT_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    limit: Flags.integer({
      description: 'the maximum number of events',
      helpValue: 'NUMBER',
      min: 1,
      max: 100_000,
      default: 25,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsHistory)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const events = await newestEvents(api, id, flags.limit)
      this.print(await listed(events, eventListing))
      this.note(`Undo a change: homing domains undo ${fqdn} EVENT`)
      return events
    })
  }
}
