/** DNSViz: queries the name servers of a zone with many options, and analyses their answers together. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Namespace } from '../support/namespaces.ts'
import { NAME_SERVERS, ZONE } from './world.ts'

const NAMES = [ZONE, ...['host', 'www', 'chain', 'any.wild', 'nobody'].map((at) => `${at}.${ZONE}`)]
const TYPES = 'SOA,NS,A,AAAA,MX,TXT,CAA,CNAME'

export interface DnsvizReport {
  /** Path in the report, and the error or warning at it. */
  readonly complaints: readonly string[]
  /** Addresses of the servers that answered. */
  readonly servers: ReadonlySet<string>
}

/** Collects the errors and warnings from all levels of the report. */
function complaintsIn(part: unknown, path: readonly string[] = []): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'errors' || key === 'warnings'
      ? (value as unknown[]).map((each) => `${path.join(' ')}: ${JSON.stringify(each)}`)
      : complaintsIn(value, [...path, key]),
  )
}

/** Queries only the servers of the zone, without the parent zone or a resolver. */
export async function runDnsviz(client: Namespace, folder: string): Promise<DnsvizReport> {
  const servers = Object.entries(NAME_SERVERS).flatMap(([name, addresses]) =>
    addresses.map((address) => `${name}=${address.includes(':') ? `[${address}]` : address}`),
  )
  const probed = join(folder, 'dnsviz.json')
  const words = ['-a', '.', '-x', `${ZONE}+:${servers.join(',')}`, '-R', TYPES, '-o', probed]
  writeFileSync(probed, '')
  await client.run('dnsviz', 'probe', '-A', '-d', '1', ...words, ...NAMES)
  const report = await client.run('dnsviz', 'grok', '-l', 'info', '-r', probed)
  const addresses = [...report.matchAll(/"((?:\d+\.){3}\d+|[\da-f]*:[\da-f:]+)"/g)]
  return {
    complaints: complaintsIn(JSON.parse(report)).sort(),
    servers: new Set(addresses.map(([, address = '']) => address)),
  }
}
