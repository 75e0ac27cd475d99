import * as Flags from '@oclif/core/flags'
import { setTimeout as delay } from 'node:timers/promises'
import { AccountCommand } from './account-command.ts'
import { rightSentence } from './lib/delegation-facts.ts'
import { untilRight } from './lib/delegation-wait.ts'
import { EXIT } from './lib/exit-codes.ts'
import { CommandFailure } from './lib/failure.ts'
import { isRight, nextCheck, type OwnZone, unverifiedSentence } from './lib/own-zones.ts'
import { lengthMs } from './lib/times.ts'
import { zoneText } from './lib/zone-output.ts'

interface VerifyFlags {
  readonly wait?: boolean
  readonly timeout?: string | undefined
  readonly verbose?: boolean
}

interface Calls {
  readonly check: () => Promise<OwnZone>
  readonly read: () => Promise<OwnZone>
}

/** The walk from the root servers takes up to five seconds. */
const ASKING = 'Asking the servers of the parent zone…'
const WAITING = 'Waiting for the delegation. Press Ctrl-C to stop; the service keeps checking…'

/** A command that verifies a delegation, once or until it is right. */
export abstract class VerifyCommand extends AccountCommand {
  static override baseFlags = {
    ...AccountCommand.baseFlags,
    wait: Flags.boolean({
      description: 'repeat the check until the delegation is correct; Ctrl-C stops',
    }),
    timeout: Flags.string({
      description: 'with --wait, how long to wait, such as 30m, 2h or 1d',
      helpValue: 'LENGTH',
      dependsOn: ['wait'],
    }),
    verbose: Flags.boolean({ description: 'show the response of each parent name server' }),
  }

  /** The zone after a check; with `--wait`, after the last of them. @throws CommandFailure */
  protected async verified(flags: VerifyFlags, { check, read }: Calls): Promise<OwnZone> {
    if (flags.wait !== true) return this.whileSaying(ASKING, check)
    const limit = flags.timeout === undefined ? undefined : lengthMs('--timeout', flags.timeout)
    return untilRight({
      check: () => this.whileSaying(ASKING, check),
      read,
      tell: (line) => this.note(line),
      pause: (milliseconds) => this.whileSaying(WAITING, () => delay(milliseconds)),
      until: limit === undefined ? Number.POSITIVE_INFINITY : Date.now() + limit,
    })
  }

  /**
   * Prints what a check found.
   *
   * @param json the result of the command
   * @param pending what to say if the delegation is not right
   * @throws CommandFailure if it is not right
   */
  protected async report(
    zone: OwnZone,
    flags: VerifyFlags,
    { json, pending }: { readonly json: object; readonly pending?: string },
  ): Promise<void> {
    this.print(await zoneText(zone, { about: [], isVerbose: flags.verbose === true }))
    if (isRight(zone)) return
    // A script gets what was found, too.
    if (this.jsonEnabled()) this.logJson(this.toSuccessJson(json))
    const { last_check } = zone
    const sentences = [
      pending ?? unverifiedSentence(zone),
      last_check === null ? undefined : rightSentence(last_check),
      nextCheck(zone, Date.now()),
    ]
    throw new CommandFailure(EXIT.failed, sentences.filter((part) => part !== undefined).join(' '))
  }
}
