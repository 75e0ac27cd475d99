/** Asks one address of a name server for the serial of a zone and for the addresses of a domain. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Asker, isReply, type NoReply } from '../delegation/asker.ts'
import type { Answered, Expected, Verdict } from './types.ts'
import { verdictOf } from './verdict.ts'

/** A lost datagram must not look like an unreachable server. */
const ASKING = { tries: 2, attemptMs: 1_000 } as const

/**
 * A change reaches a secondary a moment after the daemons, which combine the changes of two seconds into one NOTIFY. So a
 * server that is not current is asked again, for a serial that does not move meanwhile: in a busy zone, a secondary would
 * otherwise always be behind.
 */
const REPEAT_AFTER_MS = [250, 500, 1_000, 1_000] as const

async function answersOf(
  asker: Asker,
  address: string,
  { zone, fqdn }: Expected,
): Promise<Answered | NoReply> {
  const begun = performance.now()
  let roundTripMs = 0
  const soaReply = asker.query({ name: zone, type: 'SOA' }, address, ASKING)
  const timed = soaReply.finally(() => {
    roundTripMs = Math.max(1, Math.round(performance.now() - begun))
  })
  const [soa, ...addresses] = await Promise.all([
    timed,
    asker.query({ name: fqdn, type: 'A' }, address, ASKING),
    asker.query({ name: fqdn, type: 'AAAA' }, address, ASKING),
  ])
  const answered = addresses.filter(isReply)
  if (isReply(soa) && answered.length === addresses.length) {
    return { soa, addresses: answered, roundTripMs }
  }
  const failed = [soa, ...addresses].find((reply) => !isReply(reply))
  return failed as NoReply
}

const MIGHT_CHANGE: ReadonlySet<Verdict['state']> = new Set(['behind', 'different', 'not-serving'])

/** The verdict on one address. A server that is not current is asked again while there is time. */
export async function askServer(
  asker: Asker,
  address: string,
  expected: Expected,
  repeatAfterMs: readonly number[] = REPEAT_AFTER_MS,
): Promise<Verdict> {
  let verdict = verdictOf(await answersOf(asker, address, expected), expected)
  for (const waitMs of repeatAfterMs) {
    if (!MIGHT_CHANGE.has(verdict.state)) break
    const hasTime = await delay(waitMs, true, { signal: asker.signal }).catch(() => false)
    if (!hasTime) break
    const again = await answersOf(asker, address, expected)
    // The end of the check is not the server's doing.
    if ('failed' in again && asker.signal.aborted) break
    verdict = verdictOf(again, expected)
  }
  return verdict
}
