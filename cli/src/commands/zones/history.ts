import * as Args from '@oclif/core/args'
import { HistoryCommand } from '../../history-command.ts'
import { newestZoneEvents } from '../../lib/domain-history.ts'
import { findOwnZone } from '../../lib/own-zones.ts'

export default class ZonesHistory extends HistoryCommand {
  static override summary =
    'List what changed in the records of an own zone, by whom and from where.'
  static override description =
    'The newest event is first. The changes of a domain in the zone, and of its records, are in the history of the domain. In a pipe, each line has id, time, kind, change, actor, address, country and client, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com --limit 500 --json=at,kind,old,new',
  ]
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesHistory)
    return this.asCaller(flags, async ({ api }) => {
      const { id, zone } = await findOwnZone(api, args.zone)
      const events = await newestZoneEvents(api, id, flags.limit)
      return this.show(events, `homing zones undo ${zone}`)
    })
  }
}
