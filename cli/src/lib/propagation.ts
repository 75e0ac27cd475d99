/** What the name servers answer for a domain, as this program shows it and waits for it. */
import type { components } from '@homing/openapi/client'
import { setTimeout as delay } from 'node:timers/promises'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Listing } from './output.ts'
import { isPassing, pauseMs, type Waiting } from './waiting.ts'

type Schemas = components['schemas']
export type Propagation = Schemas['Propagation']
type ServerCheck = Schemas['NameServerCheck']

export const PROPAGATION_FIELDS = [
  'fqdn',
  'zone',
  'is_current',
  'published_serial',
  'published_addresses',
  'servers',
  'message',
  'checked_at',
  'duration_ms',
] as const satisfies readonly (keyof Propagation)[]

const MARKS = {
  current: '✓ current',
  behind: '! behind',
  different: '✗ other addresses',
  'not-serving': '✗ does not serve the zone',
  unreachable: '✗ no answer',
  'not-checked': '? not checked',
} as const satisfies Record<ServerCheck['state'], string>

export const serverListing: Listing<ServerCheck> = {
  columns: [
    {
      title: 'NAME SERVER',
      of: ({ server, address }) => (address === null ? [server] : [server, address]),
    },
    { title: 'STATE', of: ({ state }) => MARKS[state] },
    { title: 'SERIAL', of: ({ serial }) => (serial === null ? '–' : String(serial)) },
    {
      title: 'ANSWERS',
      of: ({ serial, addresses }) =>
        addresses.length > 0 ? addresses : [serial === null ? '–' : 'no address'],
    },
    {
      title: 'TIME',
      of: ({ round_trip_ms }) => (round_trip_ms === null ? '–' : `${round_trip_ms} ms`),
      dropFirst: 1,
    },
    { title: 'FOUND', of: ({ message }) => message, fit: 'wrap' },
  ],
  fields: ({ server, address, state, serial, addresses, round_trip_ms, message }) => [
    server,
    address,
    state,
    serial,
    addresses.join(' '),
    round_trip_ms,
    message,
  ],
}

/** After this number of checks, a server has a fault that takes longer. An account can make 600 checks per hour. */
const FAST_CHECKS = 20

interface PropagationWaiting extends Waiting {
  readonly check: () => Promise<Propagation>
  /** Prints a line when the result changed. */
  readonly tell: (line: string) => void
}

/**
 * The result when every name server is current, or when the time is over.
 *
 * @throws CommandFailure if a call is refused, other than for a moment
 */
export async function untilCurrent(waiting: PropagationWaiting): Promise<Propagation> {
  const { check, tell, until, now = Date.now, pause = delay } = waiting
  let found: Propagation | undefined
  for (let checks = 1; ; checks += 1) {
    const before = found?.message
    try {
      found = await check()
    } catch (error) {
      if (!isPassing(error) || now() >= until) throw error
    }
    const left = until - now()
    if (found !== undefined && (found.is_current || left <= 0)) return found
    if (found !== undefined && found.message !== before) tell(found.message)
    await pause(pauseMs(checks, FAST_CHECKS, left))
  }
}

/** @throws CommandFailure with what was found */
export function requireCurrent({ is_current, message }: Propagation): void {
  if (!is_current) throw new CommandFailure(EXIT.failed, message)
}
