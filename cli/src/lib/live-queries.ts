/** DNS queries for the caller's domains while they arrive, from the live stream. */
import { type components, STREAM_URL } from '@homing/openapi/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { strange } from './api.ts'
import type { Caller } from './caller.ts'
import { eventsOf } from './event-stream.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { fieldLine } from './output.ts'
import { streamed } from './streamed.ts'

export type LiveQuery = components['schemas']['LiveQuery']

export const LIVE_FIELDS = [
  'at',
  'domain_id',
  'qname',
  'type',
  'rcode',
  'transport',
  'network',
  'sample',
] as const satisfies readonly (keyof LiveQuery)[]

/** The service sends a heartbeat after 25 seconds without another event. */
const SILENCE_LIMIT_MS = 60_000
const FIRST_DELAY_MS = 250
/** After a connection of this length, the first delay is short again. */
const STEADY_MS = 30_000
/** About two minutes, because each delay is twice the former one. */
const ATTEMPTS = 9

/** Why the stream ended for good, by the reason of the service. */
const ENDS: Readonly<Record<string, string>> = {
  'session-ended': 'Your session has ended. Sign in again: homing login',
  replaced: 'Your account opened more live streams than it may have, so this one has ended.',
}

/** @throws CommandFailure if the data is not what the API sends */
function parsed<T extends object>(data: string, ...fields: readonly (keyof T & string)[]): T {
  try {
    const value = JSON.parse(data) as Partial<T>
    if (fields.every((field) => value[field] !== undefined)) return value as T
  } catch {
    throw strange()
  }
  throw strange()
}

/** The queries of one connection. @throws CommandFailure when the connection fails or ends for good */
async function* ofConnection(
  caller: Caller,
  onEvent: () => void,
): AsyncGenerator<LiveQuery, void, undefined> {
  const path = `${STREAM_URL}?queries=true`
  const wanted = { path, type: 'text/event-stream', pauseLimitMs: SILENCE_LIMIT_MS } as const
  for await (const { name, data } of eventsOf(streamed(caller, wanted))) {
    onEvent()
    if (name === 'query') yield parsed<LiveQuery>(data, ...LIVE_FIELDS)
    if (name === 'end') {
      const { reason } = parsed<{ readonly reason: string }>(data, 'reason')
      const message = ENDS[reason]
      if (message !== undefined) throw new CommandFailure(EXIT.auth, message)
      return
    }
  }
}

/**
 * The queries from now on. A lost connection is made again; queries in between are missing.
 *
 * @param onLost called before each new connection
 * @throws CommandFailure when the API refuses, or stays away for minutes
 */
export async function* liveQueries(
  caller: Caller,
  onLost: () => void,
): AsyncGenerator<LiveQuery, void, undefined> {
  let failures = 0
  let hasBegun = false
  for (;;) {
    const begun = performance.now()
    let why = new CommandFailure(
      EXIT.network,
      'The service ended the live stream. Try again later.',
    )
    try {
      yield* ofConnection(caller, () => {
        hasBegun = true
      })
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.network) throw error
      if (!hasBegun) throw error
      why = error
    }
    failures = performance.now() - begun > STEADY_MS ? 1 : failures + 1
    if (failures > ATTEMPTS) throw why
    onLost()
    await sleep(FIRST_DELAY_MS * 2 ** (failures - 1))
  }
}

/** A line of the live view. On a terminal, columns of usual widths, because later lines are not known. */
export function liveLine(query: LiveQuery): string {
  const { at, qname, type, rcode, transport, network, sample } = query
  if (!process.stdout.isTTY) return fieldLine([at, qname, type, rcode, transport, network, sample])
  return fieldLine([
    new Date(at).toLocaleTimeString('sv-SE'),
    type.padEnd(6),
    rcode.padEnd(8),
    transport,
    network.padEnd(18),
    qname,
    sample > 1 ? `1 of ${sample}` : '',
  ]).trimEnd()
}
