/** Opens one TCP connection and closes it. */
import type { AddressCheck } from './address-check.ts'
import type { HopRules } from './follow.ts'
import { openSocket } from './connection.ts'
import { failureOfError, timeLimitReached } from './outgoing-failure.ts'
import { PhaseTimer } from './phases.ts'
import { requirePort } from './target-url.ts'
import { within, withTimeLimit } from './time-limit.ts'

/**
 * Checks the port and the address as for a URL, connects, and closes the connection without sending anything.
 *
 * @returns how long it took to connect, in milliseconds
 * @throws OutgoingFailure and no other error
 */
export async function connectOnce(
  to: { readonly address: string; readonly port: number },
  { profile, addressCheck, now }: Pick<HopRules, 'profile' | 'addressCheck' | 'now'>,
): Promise<{ readonly connectMs: number }> {
  const timer = new PhaseTimer(now)
  try {
    requirePort(to.port, profile)
    const check = await permission(addressCheck, profile.timeLimitMs)
    check(to.address)
    const silenceLimitMs = profile.timeLimitMs
    const { signal } = new AbortController()
    const socket = await openSocket(to, { timer, signal, silenceLimitMs })
    socket.destroy()
    return { connectMs: timer.phaseMs.connect ?? 0 }
  } catch (error) {
    throw failureOfError(error).at({ phaseMs: timer.phaseMs })
  }
}

/** The check of addresses, which may need a look-up of the service's own names. */
async function permission(
  addressCheck: HopRules['addressCheck'],
  timeLimitMs: number,
): Promise<AddressCheck> {
  return withTimeLimit(timeLimitMs, (signal) =>
    within(signal, addressCheck()).catch((error: unknown) => {
      throw signal.aborted ? timeLimitReached('lookup', timeLimitMs) : error
    }),
  )
}
