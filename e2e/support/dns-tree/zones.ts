/** The zones of a DNS tree: the root, top-level domains with two servers each, and a hoster. */
import type { TextRecord } from '../../../test/dns-tree/message.ts'
import { isAtOrBelow, soaOf, type Zones } from '../../../test/dns-tree/zone-answers.ts'

/** What a registry has for a domain. Names are without the final dot. */
export interface Delegation {
  readonly nameservers: readonly string[]
  /** IPv4 and IPv6 addresses of name servers in the same top-level domain. */
  readonly glue?: Readonly<Record<string, readonly string[]>>
  /** The RDATA of a DS record, such as `12345 13 2 …`. */
  readonly ds?: string
}

export interface NamedServer {
  readonly hostname: string
  readonly address: string
}

const addressRecord = (hostname: string, address: string): TextRecord => [
  hostname,
  address.includes(':') ? 'AAAA' : 'A',
  address,
]

/** NS records of a zone, and the addresses of its servers. */
const serverRecords = (zone: string, servers: readonly NamedServer[]): TextRecord[] =>
  servers.flatMap(({ hostname, address }) => [
    [zone, 'NS', `${hostname}.`],
    addressRecord(hostname, address),
  ])

/** The records of a delegation in the zone above. */
function delegationRecords(domain: string, delegation: Delegation): TextRecord[] {
  const { nameservers, glue = {}, ds } = delegation
  return [
    ...nameservers.map((each): TextRecord => [domain, 'NS', `${each}.`]),
    ...Object.entries(glue).flatMap(([hostname, addresses]) =>
      addresses.map((address) => addressRecord(hostname, address)),
    ),
    ...(ds === undefined ? [] : [[domain, 'DS', ds] as const]),
  ]
}

/** The root zone, with the delegations of the top-level domains. */
export function rootZone(
  roots: readonly NamedServer[],
  topLevels: ReadonlyMap<string, readonly NamedServer[]>,
): Zones {
  const delegations = [...topLevels].flatMap(([name, servers]) => serverRecords(name, servers))
  return { '': [soaOf(''), ...serverRecords('', roots), ...delegations] }
}

/** A top-level domain with its registered domains. */
export function topLevelZone(
  name: string,
  servers: readonly NamedServer[],
  delegations: ReadonlyMap<string, Delegation>,
): Zones {
  const registered = [...delegations].filter(([domain]) => isAtOrBelow(domain, name))
  const records = registered.flatMap(([domain, delegation]) =>
    delegationRecords(domain, delegation),
  )
  return { [name]: [soaOf(name), ...serverRecords(name, servers), ...records] }
}

/** A domain at the hoster. */
export function hostedZone(
  domain: string,
  hoster: NamedServer,
  records: readonly TextRecord[],
): Zones {
  return { [domain]: [soaOf(domain), [domain, 'NS', `${hoster.hostname}.`], ...records] }
}
