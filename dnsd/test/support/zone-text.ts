import { nameFromText, nameKey, rdataFromText, typeFromText } from '../../src/names/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import {
  Zone,
  Zones,
  type OwnerState,
  type RRset,
  type SoaParameters,
} from '../../src/zone/index.ts'

/**
 * A zone from lines of `owner ttl type rdata`; an owner alone exists without records. It gets a SOA with TTL 3600,
 * MINIMUM 60 and serial 7.
 *
 * @param table shared with other zones, for tests that read the table
 */
export function zoneFromText(apexText: string, text: string, table = new ZoneTable()): Zone {
  const apex = nameFromText(apexText)
  const version = { serial: 6n, feedId: 'feed', token: 'first' }
  const zone = new Zone(apex, version, plainSoa(apex), table)
  const states = new Map<string, { owner: Buffer; rrsets: RRset[] }>()
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line !== '') addLine(states, line, apex)
  }
  zone.apply([...states.values()] satisfies OwnerState[], {
    serial: 7n,
    feedId: 'feed',
    token: 'second',
  })
  return zone
}

/** The SOA of such a zone. */
export function plainSoa(apex: Uint8Array): SoaParameters {
  return {
    mname: nameFromText('ns1', apex),
    rname: nameFromText('hostmaster', apex),
    refreshSeconds: 3600,
    retrySeconds: 600,
    expireSeconds: 1_209_600,
    minimumSeconds: 60,
    ttlSeconds: 3600,
  }
}

function addLine(
  states: Map<string, { owner: Buffer; rrsets: RRset[] }>,
  line: string,
  apex: Buffer,
): void {
  const [ownerText = '', ttl, typeText, ...rest] = line.split(/\s+/)
  const owner = nameFromText(ownerText, apex)
  const state = states.get(nameKey(owner)) ?? { owner, rrsets: [] }
  states.set(nameKey(owner), state)
  if (typeText === undefined) return
  const type = typeFromText(typeText)
  const rdata = rdataFromText(type, rest.join(' '), apex)
  const same = state.rrsets.findIndex((rrset) => rrset.type === type)
  const earlier = state.rrsets[same]?.rdata ?? []
  const rrset = { type, ttlSeconds: Number(ttl), rdata: [...earlier, rdata] }
  if (same === -1) state.rrsets.push(rrset)
  else state.rrsets[same] = rrset
}

/** The same zones in the form that a server uses. */
export function zonesOf(...list: readonly Zone[]): Zones {
  const zones = new Zones()
  for (const zone of list) zones.set(zone)
  return zones
}
