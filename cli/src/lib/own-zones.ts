/** Own zones as this program shows and finds them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { listOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Fact, Listing } from './output.ts'
import { claimOf } from './record-places.ts'
import { ago, duration, printable } from './text.ts'

type Schemas = components['schemas']
export type OwnZone = Schemas['OwnZone']
type Task = Schemas['OwnershipTask']
type Server = Schemas['NameServerAddress']

export const OWN_ZONE_FIELDS = [
  'id',
  'zone',
  'state',
  'is_vanity',
  'nameservers',
  'proof',
  'tasks',
  'is_contested',
  'records',
  'domains',
  'claimed_at',
  'expires_at',
  'active_at',
  'withheld_at',
  'last_check',
  'next_check_at',
] as const satisfies readonly (keyof OwnZone)[]

export const isRight = ({ state, last_check }: OwnZone): boolean =>
  state === 'active' && last_check?.is_right === true

/** Why a zone is not verified, by its state. */
export function unverifiedSentence({ state, zone, last_check }: OwnZone): string {
  const sentences = {
    pending:
      last_check?.is_right === true
        ? `The name servers of ${zone} are correct, but you have not proved that you own the domain.`
        : `${zone} is not verified yet.`,
    active: `You have proved that you own ${zone}, but its delegation is not correct.`,
    withheld: `${zone} is withheld: your plan does not include own zones.`,
    lost: `Another account has proved that it owns ${zone}.`,
    expired: `Your claim of ${zone} has expired. Claim it again: homing zones add ${zone}`,
  } as const satisfies Record<OwnZone['state'], string>
  return sentences[state]
}

/** The state in a word or two. */
function stateOf({ state, last_check }: OwnZone): string {
  return state === 'active' && last_check?.is_right === false ? 'active, check failed' : state
}

export const ownZoneListing: Listing<OwnZone> = {
  columns: [
    { title: 'ZONE', of: ({ zone }) => zone },
    { title: 'STATE', of: stateOf },
    { title: 'RECORDS', of: ({ records }) => String(records), dropFirst: 3 },
    { title: 'DOMAINS', of: ({ domains }) => String(domains), dropFirst: 2 },
    {
      title: 'NAME SERVERS',
      of: ({ nameservers }) => nameservers.map(({ hostname }) => hostname),
      dropFirst: 4,
    },
    {
      title: 'CHECKED',
      of: ({ last_check }) =>
        last_check === null ? 'never' : ago(last_check.checked_at, Date.now()),
      dropFirst: 1,
    },
  ],
  fields: (zone) => [
    zone.zone,
    zone.state,
    zone.records,
    zone.domains,
    zone.nameservers.map(({ hostname }) => hostname).join(','),
    zone.last_check?.checked_at ?? null,
    zone.id,
  ],
}

export const zoneFacts = (zone: OwnZone): Fact[] => [
  ['zone', zone.zone],
  ['state', stateOf(zone)],
  ['proof', zone.proof],
  ['claimed by others', zone.is_contested ? 'yes' : 'no'],
  ['vanity', zone.is_vanity ? 'yes' : 'no'],
  ['records', zone.records],
  ['domains', zone.domains],
  ['claimed', zone.claimed_at],
  ['expires', zone.expires_at],
  ['active since', zone.active_at],
  ['withheld', zone.withheld_at],
  ['checked', zone.last_check?.checked_at ?? null],
  ['next check', zone.next_check_at],
]

/** What to enter at the registrar. */
export const glueListing: Listing<Server> = {
  columns: [
    { title: 'NAME SERVER', of: ({ hostname }) => hostname },
    { title: 'IPV4', of: ({ ip }) => ip },
    { title: 'IPV6', of: ({ ipv6 }) => ipv6 ?? '–' },
  ],
  fields: ({ hostname, ip, ipv6 }) => ['nameserver', hostname, ip, ipv6],
}

/** What proves the ownership; one suffices. */
export const taskListing: Listing<Task> = {
  columns: [
    { title: 'TASK', of: ({ name, type, values }) => [`${name} ${type}`, ...values] },
    { title: 'WHAT TO DO', of: ({ description }) => description, fit: 'wrap' },
  ],
  fields: ({ method, name, type, values }) => ['task', method, name, type, values.join(' ')],
}

/** When the service checks next by itself. @param now milliseconds */
export function nextCheck({ next_check_at }: OwnZone, now: number): string | undefined {
  if (next_check_at === null) return undefined
  const seconds = (Date.parse(next_check_at) - now) / 1_000
  return seconds < 1
    ? 'The service checks again in a moment.'
    : `The service checks again by itself in ${duration(seconds)}.`
}

/** An own zone of the caller; an ended claim only if there is no other. @throws CommandFailure */
export async function findOwnZone(api: ApiClient, typed: string): Promise<OwnZone> {
  const zones = listOf(await api.GET('/api/zones'), 'id', 'zone', 'state')
  const found = claimOf(zones, typed)
  if (found !== undefined) return found
  const message = `You have no own zone ${printable(typed)}. List yours: homing zones list`
  throw new CommandFailure(EXIT.notFound, message)
}
