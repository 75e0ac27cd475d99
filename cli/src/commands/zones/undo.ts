import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { changeOf, EVENT_FIELDS, newestZoneEvents } from '../../lib/domain-history.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { fieldLine } from '../../lib/output.ts'
import { findOwnZone } from '../../lib/own-zones.ts'

export default class ZonesUndo extends AccountCommand {
  static override summary = 'Undo a change of a record in an own zone.'
  static override description =
    'Without an event, the newest change is undone. An undo is a change too: a second call undoes the undo. In a pipe, the line has the id of the new event, its kind and the change.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com 4711',
  ]
  static override jsonFields = EVENT_FIELDS
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
    event: Args.string({ description: 'the id of the event (see zones history)' }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesUndo)
    const event = await this.asCaller(flags, async ({ api }) => {
      const { id, zone } = await findOwnZone(api, args.zone)
      const event_id = args.event ?? (await newestZoneEvents(api, id, 1))[0]?.id
      if (event_id === undefined) {
        throw new CommandFailure(EXIT.notFound, `${zone} has no change that can be undone.`)
      }
      const params = { path: { id, event_id } }
      const answer = await api.POST('/api/zones/{id}/events/{event_id}/undo', { params })
      return bodyOf(answer, 'id')
    })
    this.print(fieldLine([event.id, event.kind, changeOf(event)]))
    this.note('Undone.', `Next: homing zones history ${args.zone}`)
    return event
  }
}
