/** The servers of the root zone, where every walk begins. */
import {
  isProblem,
  nameFromText,
  nameToText,
  parseMasterFile,
  rdataToText,
  ROOT_NAME,
  TYPE,
} from '@homing/dnsd/names'
import type { DnsServer } from '@homing/dnsd/client'

/** One address of a server of the root zone. */
export interface RootServer extends DnsServer {
  readonly hostname: string
}

const DNS_PORT = 53
const FILE_LIMIT_SERVERS = 64

/** A file of hints that cannot be used. */
export class RootHintsError extends Error {}

const folded = (name: string) => name.toLowerCase().replace(/(?<=.)\.$/, '')

/**
 * Reads a file of hints (the format of `named.root`): NS records of the root, and the addresses of their servers.
 *
 * @throws RootHintsError for an invalid line, and for a file without the address of a root server
 */
export function parseRootHints(text: string): readonly RootServer[] {
  const names = new Set<string>()
  const addresses: RootServer[] = []
  for (const item of parseMasterFile(text, { origin: ROOT_NAME, defaultTtlSeconds: 0 })) {
    if (isProblem(item)) throw new RootHintsError(`line ${item.line}: ${item.message}`)
    const owner = folded(nameToText(item.owner))
    const data = rdataToText(item.type, item.rdata)
    if (item.type === TYPE.NS && owner === '.') {
      names.add(folded(nameToText(nameFromText(data, ROOT_NAME))))
    }
    if (item.type === TYPE.A || item.type === TYPE.AAAA) {
      addresses.push({ hostname: owner, address: data, port: DNS_PORT })
    }
  }
  const servers = addresses.filter(({ hostname }) => names.has(hostname))
  if (servers.length === 0) throw new RootHintsError('it has no address of a root server')
  if (servers.length > FILE_LIMIT_SERVERS) {
    throw new RootHintsError(`it has more than ${FILE_LIMIT_SERVERS} addresses`)
  }
  return servers
}

const IANA: Readonly<Record<string, readonly [ipv4: string, ipv6: string]>> = {
  a: ['198.41.0.4', '2001:503:ba3e::2:30'],
  b: ['170.247.170.2', '2801:1b8:10::b'],
  c: ['192.33.4.12', '2001:500:2::c'],
  d: ['199.7.91.13', '2001:500:2d::d'],
  e: ['192.203.230.10', '2001:500:a8::e'],
  f: ['192.5.5.241', '2001:500:2f::f'],
  g: ['192.112.36.4', '2001:500:12::d0d'],
  h: ['198.97.190.53', '2001:500:1::53'],
  i: ['192.36.148.17', '2001:7fe::53'],
  j: ['192.58.128.30', '2001:503:c27::2:30'],
  k: ['193.0.14.129', '2001:7fd::1'],
  l: ['199.7.83.42', '2001:500:9f::42'],
  m: ['202.12.27.33', '2001:dc3::35'],
}

/** The servers of the IANA root zone. Their addresses change about once in ten years, and the former ones answer for years. */
export const IANA_ROOT: readonly RootServer[] = Object.entries(IANA).flatMap(([letter, both]) =>
  both.map((address) => ({
    hostname: `${letter}.root-servers.net`,
    address,
    port: DNS_PORT,
  })),
)
