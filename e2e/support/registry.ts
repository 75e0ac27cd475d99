/**
 * A small Internet in one network namespace: the root, the registries of com, org and test with two servers each, and another
 * DNS provider. The servers are Knot. The test is the registrar: it sets what the registries delegate.
 *
 *   192.0.2.1                the root
 *   192.0.2.11, 192.0.2.12   the registries, two processes
 *   192.0.2.61               the other provider
 *   198.51.100.53 …          for the name servers of the service
 */
import { join } from 'node:path'
import { type Knot, startKnot } from './knot.ts'
import { addAddress, createNamespace, type Namespace } from './namespaces.ts'

/** What a registrar enters for a domain. */
export interface Delegation {
  readonly nameservers: readonly string[]
  /** Host name → addresses. */
  readonly glue?: Readonly<Record<string, readonly string[]>>
  /** The RDATA of a DS record. */
  readonly ds?: string
}

/** The name servers of the service. */
export const NS1 = { hostname: 'ns1.homing.test', ipv4: '198.51.100.53', ipv6: '2001:db8::53' }
export const NS2 = { hostname: 'ns2.homing.test', ipv4: '203.0.113.53' }
export const SERVICE_ADDRESSES = [NS1.ipv4, NS1.ipv6, NS2.ipv4]
/** `NAMESERVERS` of the service. */
export const NAMESERVERS = `${NS1.hostname}/${NS1.ipv4}/${NS1.ipv6},${NS2.hostname}/${NS2.ipv4}`

const TOP_LEVELS = ['com', 'org', 'test'] as const
type TopLevel = (typeof TOP_LEVELS)[number]
const ROOT = { hostname: 'a.root.test', address: '192.0.2.1' }
const REGISTRIES = [
  { hostname: 'a.registry.test', address: '192.0.2.11' },
  { hostname: 'b.registry.test', address: '192.0.2.12' },
] as const
/** The name server of the other provider. */
export const ELSEWHERE = { hostname: 'ns.elsewhere.test', address: '192.0.2.61' }

const OF_SERVICE: Delegation = {
  nameservers: [NS1.hostname, NS2.hostname],
  glue: { [NS1.hostname]: [NS1.ipv4, NS1.ipv6], [NS2.hostname]: [NS2.ipv4] },
}
const OF_ELSEWHERE: Delegation = {
  nameservers: [ELSEWHERE.hostname],
  glue: { [ELSEWHERE.hostname]: [ELSEWHERE.address] },
}

/** The root hints, for resolvers and for `ROOT_HINTS`. */
export const ROOT_HINTS = `. 3600 NS ${ROOT.hostname}.\n${ROOT.hostname}. 3600 A ${ROOT.address}\n`

export interface Registry {
  readonly namespace: Namespace
  /** Sets or removes the delegation of a domain at all servers of its registry, or at one alone. */
  delegate(domain: string, delegation: Delegation | undefined, at?: 0 | 1): Promise<void>
  /** Lets the second server of the registries answer nothing, and again. */
  freezeSecond(): void
  thawSecond(): void
  /** Sets the records of a zone at the other provider: lines of a master file without SOA and NS. */
  hostElsewhere(domain: string, lines: string): Promise<void>
  close(): Promise<void>
}

const addressLine = (name: string, address: string) =>
  `${name}. 3600 ${address.includes(':') ? 'AAAA' : 'A'} ${address}\n`

function delegationLines(domain: string, { nameservers, glue = {}, ds }: Delegation): string {
  return [
    ...nameservers.map((name) => `${domain}. 3600 NS ${name}.\n`),
    ...Object.entries(glue).flatMap(([name, addresses]) =>
      addresses.map((address) => addressLine(name, address)),
    ),
    ...(ds === undefined ? [] : [`${domain}. 3600 DS ${ds}\n`]),
  ].join('')
}

const soa = (zone: string, server: string, serial: number) =>
  `${zone}. 3600 SOA ${server}. hostmaster.root.test. ${serial} 14400 3600 1209600 60\n`

const registryServers = (zone: string) =>
  REGISTRIES.map(({ hostname }) => `${zone}. 3600 NS ${hostname}.\n`).join('')
const registryAddresses = REGISTRIES.map(({ hostname, address }) =>
  addressLine(hostname, address),
).join('')

const rootZone = `${soa('', ROOT.hostname, 1)}. 3600 NS ${ROOT.hostname}.\n${addressLine(ROOT.hostname, ROOT.address)}${TOP_LEVELS.map(registryServers).join('')}${registryAddresses}`

/** Starts all servers. Requires root. */
export async function startRegistry(folder: string): Promise<Registry> {
  const namespace = await createNamespace()
  const addresses = [ROOT, ...REGISTRIES, ELSEWHERE].map(({ address }) => address)
  for (const address of [...addresses, ...SERVICE_ADDRESSES]) {
    await addAddress(namespace, 'lo', `${address}/${address.includes(':') ? 128 : 32}`)
  }
  let serial = 1
  const delegations = REGISTRIES.map(
    () =>
      new Map<string, Delegation>([
        ['homing.test', OF_SERVICE],
        ['elsewhere.test', OF_ELSEWHERE],
      ]),
  )
  const topLevelZone = (zone: TopLevel, at: number) =>
    `${soa(zone, REGISTRIES[0].hostname, serial)}${registryServers(zone)}${zone === 'test' ? registryAddresses + addressLine(ROOT.hostname, ROOT.address) : ''}${[
      ...(delegations[at] ?? []),
    ]
      .filter(([domain]) => domain.endsWith(`.${zone}`))
      .map(([domain, delegation]) => delegationLines(domain, delegation))
      .join('')}`
  const start = (name: string, address: string, zones: Record<string, string>) =>
    startKnot({ namespace, folder: join(folder, name), addresses: [address], zones })
  const root = await start('root', ROOT.address, { '': rootZone })
  const registries: Knot[] = []
  for (const [at, { address }] of REGISTRIES.entries()) {
    const zones = Object.fromEntries(TOP_LEVELS.map((zone) => [zone, topLevelZone(zone, at)]))
    registries.push(await start(`registry-${at}`, address, zones))
  }
  const elsewhereZone = (domain: string, lines: string) =>
    `${soa(domain, ELSEWHERE.hostname, serial)}${domain}. 3600 NS ${ELSEWHERE.hostname}.\n${lines}`
  const elsewhereZones: Record<string, string> = {
    'elsewhere.test': elsewhereZone(
      'elsewhere.test',
      addressLine(ELSEWHERE.hostname, ELSEWHERE.address),
    ),
  }
  let elsewhere = await start('elsewhere', ELSEWHERE.address, elsewhereZones)
  return {
    namespace,
    async delegate(domain, delegation, only) {
      serial += 1
      const zone = TOP_LEVELS.find((name) => domain.endsWith(`.${name}`))
      if (zone === undefined) throw new Error(`no registry for ${domain}`)
      for (const [at, registry] of registries.entries()) {
        if (only !== undefined && only !== at) continue
        if (delegation === undefined) delegations[at]?.delete(domain)
        else delegations[at]?.set(domain, delegation)
        await registry.replace(zone, topLevelZone(zone, at))
      }
    },
    freezeSecond: () => registries[1]?.freeze(),
    thawSecond: () => registries[1]?.thaw(),
    async hostElsewhere(domain, lines) {
      serial += 1
      elsewhereZones[domain] = elsewhereZone(domain, lines)
      await elsewhere.stop()
      elsewhere = await start('elsewhere', ELSEWHERE.address, elsewhereZones)
    },
    async close() {
      await Promise.all([root.stop(), elsewhere.stop(), ...registries.map((knot) => knot.stop())])
      await namespace.release()
    },
  }
}
