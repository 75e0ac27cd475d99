import { TYPE } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'
import type { ZoneReader } from '../zone/index.ts'
import type { Ending } from './chain.ts'

/**
 * The authority section for the end of a chain: the SOA for a negative answer (RFC 2308 §3), the NS
 * records of the cut for a referral (RFC 1034 §4.3.2 step 3b).
 *
 * Answers with data have none. The client found this server by the zone's NS records, and smaller
 * answers are less useful to attackers with forged addresses.
 */
export function authorityFor(ending: Ending, zone: ZoneReader): readonly PlacedRRset[] {
  if (ending.kind === 'nodata' || ending.kind === 'nxdomain') {
    return [{ owner: zone.apex, rrset: zone.negativeSoa }]
  }
  if (ending.kind !== 'referral') return []
  const ns = ending.cut.rrset(TYPE.NS)
  const owner = ending.cut.state?.owner
  return ns === undefined || owner === undefined ? [] : [{ owner, rrset: ns }]
}
