import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { EVENT_FIELDS, eventListing, newestZoneEvents } from '../../lib/domain-history.ts'
import { listed } from '../../lib/output.ts'
import { findOwnZone } from '../../lib/own-zones.ts'

export default class ZonesHistory extends AccountCommand {
  static override summary =
    'List what changed in the records of an own zone, by whom and from where.'
  static override description =
    'The newest event is first. The changes of a domain in the zone, and of its records, are in the history of the domain. In a pipe, each line has id, time, kind, change, actor, address, country and client, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com --limit 500 --json=at,kind,old,new',
  ]
  static override jsonFields = EVENT_FIELDS
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
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
    const { args, flags } = await this.parse(ZonesHistory)
    return this.asCaller(flags, async ({ api }) => {
      const { id, zone } = await findOwnZone(api, args.zone)
      const events = await newestZoneEvents(api, id, flags.limit)
      this.print(await listed(events, eventListing))
      this.note(`Undo a change: homing zones undo ${zone} EVENT`)
      return events
    })
  }
}
