/* The zone of the measurements. */
import { nameFromText, TYPE } from '../../src/names/index.ts'
import type { ZoneTable } from '../../src/table/index.ts'
import { Zone } from '../../src/zone/index.ts'

const ORIGIN = nameFromText('bench.test.')
/** The name of a host, with the root. */
export const hostName = (n: number) => `host${String(n).padStart(6, '0')}.bench.test.`

/** Fills a table with the zone `bench.test`: hosts with an address each, and a wildcard. */
export function zoneOf(names: number, table: ZoneTable): Zone {
  const version = { feedId: 'feed', token: '' }
  const soa = {
    mname: nameFromText('ns1.bench.test.'),
    rname: nameFromText('hostmaster.bench.test.'),
    refreshSeconds: 3600,
    retrySeconds: 600,
    expireSeconds: 86_400,
    minimumSeconds: 300,
    ttlSeconds: 300,
  }
  const zone = new Zone(ORIGIN, { ...version, serial: 1n }, soa, table)
  zone.expect(names)
  for (let n = 0; n < names; n++) {
    zone.addAddress(nameFromText(hostName(n)), TYPE.A, 300, Buffer.of(10, n >> 16, n >> 8, n))
  }
  const rrsets = [{ type: TYPE.A, ttlSeconds: 300, rdata: [Buffer.of(192, 0, 2, 99)] }]
  const owner = nameFromText('*.wild.bench.test.')
  zone.apply([{ owner, rrsets }], { ...version, serial: 2n })
  return zone
}
