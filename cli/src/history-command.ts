import * as Flags from '@oclif/core/flags'
import { AccountCommand } from './account-command.ts'
import { type DomainEvent, EVENT_FIELDS, eventListing } from './lib/domain-history.ts'
import { listed } from './lib/output.ts'

/** A command that lists the history of a domain or of an own zone. */
export abstract class HistoryCommand extends AccountCommand {
  static override jsonFields = EVENT_FIELDS
  static override flags = {
    limit: Flags.integer({
      description: 'the maximum number of events',
      helpValue: 'NUMBER',
      min: 1,
      max: 100_000,
      default: 25,
    }),
  }

  /** Prints the events. @param undo the command that undoes one of them */
  protected async show<Event extends DomainEvent>(
    events: readonly Event[],
    undo: string,
  ): Promise<readonly Event[]> {
    this.print(await listed(events, eventListing))
    this.note(`Undo a change: ${undo} EVENT`)
    return events
  }
}
