/**
 * Waits until a delegation is right. The state is read often, because the service checks by itself and another person can
 * ask it to; a check of its own, of which an account has 30 per hour, is made seldom.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { changedFacts, rightSentence } from './delegation-facts.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { isRight, type OwnZone, unverifiedSentence } from './own-zones.ts'
import { isRateLimited, type Waiting } from './waiting.ts'

const PAUSE_MS = 10_000
/** Every third minute. */
const READS_PER_CHECK = 18

interface DelegationWaiting extends Waiting {
  /** Asks the service to check now. */
  readonly check: () => Promise<OwnZone>
  /** Reads the result of the last check. */
  readonly read: () => Promise<OwnZone>
  /** Prints a line when something changed. */
  readonly tell: (line: string) => void
}

/** @throws CommandFailure if waiting is of no use */
function requireLive(zone: OwnZone): void {
  if (zone.state === 'pending' || zone.state === 'active') return
  throw new CommandFailure(EXIT.failed, unverifiedSentence(zone))
}

/** The zone after its next check; without one if the account has used up its checks. */
async function checked({ check, read }: DelegationWaiting): Promise<OwnZone> {
  try {
    return await check()
  } catch (error) {
    if (!isRateLimited(error)) throw error
    return read()
  }
}

/**
 * The zone when its delegation is right, or when the time is over.
 *
 * @throws CommandFailure if the claim ends, or a call fails
 */
export async function untilRight(waiting: DelegationWaiting): Promise<OwnZone> {
  const { read, tell, until, now = Date.now, pause = delay } = waiting
  let zone = await checked(waiting)
  for (let reads = 1; !isRight(zone); reads += 1) {
    requireLive(zone)
    if (reads === 1 && zone.last_check !== null) tell(rightSentence(zone.last_check))
    const left = until - now()
    if (left <= 0) break
    await pause(Math.min(PAUSE_MS, left))
    const before = zone.last_check
    zone = reads % READS_PER_CHECK === 0 ? await checked(waiting) : await read()
    for (const line of changedFacts(before, zone.last_check)) tell(line)
  }
  return zone
}
