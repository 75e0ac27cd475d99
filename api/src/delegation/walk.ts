/**
 * The walk from the root: which zone is above a name, and at which addresses its servers answer.
 *
 * It goes down one label at a time, so that a zone is seen even when its servers also serve the zone above. Nothing is
 * kept between two walks. Within one walk, a zone and a host are looked up once.
 */
import type { DnsAnswer } from '@homing/dnsd/client'
import { isReply, type Asker } from './asker.ts'
import { firstReply } from './first-reply.ts'
import { ancestorsOf, isAskable, isAtOrBelow, nameInRecord, shownZone } from './names.ts'
import { canonicalAddress, type Cut, type Glue, readCut } from './read-cut.ts'
import type { RootServer } from '../rules/root-hints.ts'

/** One address of a name server. */
export interface ServerAddress {
  readonly hostname: string
  readonly address: string
}

/** A zone as the zone above delegates it. */
export interface ZoneServers {
  readonly zone: string
  readonly nameservers: readonly string[]
  readonly glue: Glue
  /** Servers that answer for the zone, but were not found by its delegation: the root servers, or those of the zone above. */
  readonly others: readonly ServerAddress[]
}

/** The walk ended above the wanted zone. */
export class WalkEnded extends Error {}

export interface HostAddresses {
  readonly addresses: readonly string[]
  /** False when no server answered, so that the host may have other addresses. */
  readonly isKnown: boolean
}

/** How many names may have to be resolved for each other: a server whose name is in a zone whose servers have names in… */
const NESTING_LIMIT = 3
/** Those above the zone of an IPv6 /48. */
const LABELS_LIMIT = 13
const GLUELESS_LIMIT = 4
/** For each family. */
const HOST_ADDRESSES_LIMIT = 2
const NOWHERE: HostAddresses = { addresses: [], isKnown: false }

type Chain = readonly string[]

/** Each address once. IPv4 first: more machines have it. In random order otherwise, so that no server gets all the walks. */
function inOrder(servers: readonly ServerAddress[]): ServerAddress[] {
  const once = new Map(servers.map((server) => [server.address, server]))
  const placed = [...once.values()].map((server) => ({
    server,
    place: Math.random() + (server.address.includes(':') ? 1 : 0),
  }))
  return placed.toSorted((one, other) => one.place - other.place).map(({ server }) => server)
}

/** The first addresses of each family. */
export function boundedAddresses(addresses: readonly string[]): string[] {
  const isIpv6 = (address: string) => address.includes(':')
  return [
    ...addresses.filter((address) => !isIpv6(address)).slice(0, HOST_ADDRESSES_LIMIT),
    ...addresses.filter(isIpv6).slice(0, HOST_ADDRESSES_LIMIT),
  ]
}

export class Walk {
  readonly #asker: Asker
  readonly #root: ZoneServers
  readonly #cuts = new Map<string, ZoneServers | 'no cut'>()
  readonly #hosts = new Map<string, HostAddresses>()

  constructor(asker: Asker, roots: readonly RootServer[]) {
    this.#asker = asker
    this.#root = { zone: '', nameservers: [], glue: new Map(), others: roots }
  }

  /**
   * The zone that delegates the domain, or would delegate it.
   *
   * @throws WalkEnded when the servers of a zone above do not answer, with a sentence that says so
   */
  async parentOf(domain: string): Promise<ZoneServers> {
    return this.#descend(domain, ancestorsOf(domain), [])
  }

  /** Goes down to the deepest zone at one of `names`, which are above or at `name`, the shortest first. @throws WalkEnded */
  async #descend(name: string, names: readonly string[], chain: Chain): Promise<ZoneServers> {
    if (names.length > LABELS_LIMIT) {
      throw new WalkEnded(`${name} has more than ${LABELS_LIMIT} labels.`)
    }
    let at = this.#root
    for (const ancestor of names) {
      if (ancestor === at.zone || !isAtOrBelow(ancestor, at.zone)) continue
      const known = this.#cuts.get(ancestor)
      const cut = known ?? (await this.#cutAt(at, ancestor, chain))
      this.#cuts.set(ancestor, cut)
      if (cut !== 'no cut') at = cut
    }
    return at
  }

  /** @throws WalkEnded */
  async #cutAt(at: ZoneServers, name: string, chain: Chain): Promise<ZoneServers | 'no cut'> {
    const askOne = async ({ hostname, address }: ServerAddress) => {
      const reply = await this.#asker.query({ name, type: 'NS' }, address)
      if (!isReply(reply)) return undefined
      const cut = readCut(reply, at.zone, name)
      return cut.kind === 'lame' ? undefined : { cut, by: { hostname, address } }
    }
    const found = await this.#anyOf(at, chain, askOne)
    if (found === undefined) {
      throw new WalkEnded(`No name server of ${shownZone(at.zone)} answered.`)
    }
    return found.cut.kind === 'delegated' ? zoneOf(found.cut, found.by) : 'no cut'
  }

  /** What any of the zone's servers answers: first those with known addresses, then the others. */
  async #anyOf<T>(
    at: ZoneServers,
    chain: Chain,
    askOne: (server: ServerAddress) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = inOrder([...gluedServers(at), ...at.others])
    return (await firstReply(known, askOne)) ?? this.#anyGlueless(at, chain, askOne)
  }

  async #anyGlueless<T>(
    at: ZoneServers,
    chain: Chain,
    askOne: (server: ServerAddress) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    // The addresses of these servers would be asked of the same servers.
    if (chain.includes(at.zone)) return undefined
    const names = at.nameservers.filter((name) => !at.glue.has(name)).slice(0, GLUELESS_LIMIT)
    const hosts = await Promise.all(
      names.map(async (hostname) => {
        const { addresses } = await this.#addressesOf(hostname, [...chain, at.zone])
        return boundedAddresses(addresses).map((address) => ({ hostname, address }))
      }),
    )
    return firstReply(inOrder(hosts.flat()), askOne)
  }

  /**
   * All servers of a zone with their addresses: from the delegation, or resolved by another walk. A server without an
   * address has an empty list.
   */
  async serversOf(
    at: ZoneServers,
    nameLimit: number,
  ): Promise<{ readonly hostname: string; readonly addresses: readonly string[] }[]> {
    if (at.nameservers.length === 0) {
      return at.others.map(({ hostname, address }) => ({ hostname, addresses: [address] }))
    }
    return Promise.all(
      at.nameservers.slice(0, nameLimit).map(async (hostname) => {
        const glued = at.glue.get(hostname)
        const addresses = glued ?? (await this.#addressesOf(hostname, [at.zone])).addresses
        const heldHere = at.others.filter((other) => other.hostname === hostname)
        const all = new Set([...addresses, ...heldHere.map(({ address }) => address)])
        return { hostname, addresses: boundedAddresses([...all]) }
      }),
    )
  }

  /** The addresses of a host. A CNAME record has none: the name of a server must not be an alias (RFC 2181 §10.3). */
  addressesOf(hostname: string): Promise<HostAddresses> {
    return this.#addressesOf(hostname, [])
  }

  async #addressesOf(hostname: string, chain: Chain): Promise<HostAddresses> {
    const known = this.#hosts.get(hostname)
    if (known !== undefined) return known
    if (!isAskable(hostname)) return { addresses: [], isKnown: true }
    if (chain.length > NESTING_LIMIT) return NOWHERE
    const found = await this.#resolve(hostname, chain)
    if (found.isKnown) this.#hosts.set(hostname, found)
    return found
  }

  async #resolve(hostname: string, chain: Chain): Promise<HostAddresses> {
    let zone: ZoneServers
    try {
      zone = await this.#descend(hostname, [...ancestorsOf(hostname), hostname], chain)
    } catch (error) {
      if (error instanceof WalkEnded) return NOWHERE
      throw error
    }
    const types = ['A', 'AAAA'] as const
    const answers = await Promise.all(
      types.map((type) => this.#anyOf(zone, chain, (server) => this.#host(hostname, type, server))),
    )
    const isKnown = answers.every((each) => each !== undefined)
    return { addresses: answers.flatMap((each) => each ?? []), isKnown }
  }

  async #host(
    hostname: string,
    type: 'A' | 'AAAA',
    { address }: ServerAddress,
  ): Promise<string[] | undefined> {
    const reply = await this.#asker.query({ name: hostname, type }, address)
    if (!isReply(reply) || !answersFully(reply)) return undefined
    return reply.answers.flatMap((record) =>
      record.type === type && nameInRecord(record.name) === hostname
        ? [canonicalAddress(record.data)]
        : [],
    )
  }
}

const answersFully = ({ authoritative, rcode }: DnsAnswer) =>
  authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN')

const gluedServers = ({ glue }: ZoneServers): ServerAddress[] =>
  [...glue].flatMap(([hostname, addresses]) =>
    boundedAddresses(addresses).map((address) => ({ hostname, address })),
  )

function zoneOf(cut: Cut & { readonly kind: 'delegated' }, by: ServerAddress): ZoneServers {
  const { owner, nameservers, glue, isHeldHere } = cut
  return { zone: owner, nameservers, glue, others: isHeldHere ? [by] : [] }
}
