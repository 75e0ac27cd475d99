import { TYPE } from '../names/index.ts'
import type { PlacedRRset } from '../wire/index.ts'
import type { ZoneReader } from '../zone/index.ts'
import type { Ending } from './chain.ts'

/**
 * The authority section that goes with a chain's end: the SOA where there is nothing (RFC 2308 §3),
 * the NS records of a cut in a referral (RFC 1034 §4.3.2 step 3b).
 *
 * Answers with data carry none: the asker got here by the zone's NS records, and without them an
 * answer is of little use to those who ask with a forged address.
 */
export function authorityFor(ending: Ending, zone: ZoneReader): readonly PlacedRRset[] {
  if (ending.kind === 'nodata' || ending.kind === 'nxdomain') {
    return [{ owner: zone.origin, rrset: zone.negativeSoa }]
  }
  if (ending.kind !== 'referral') return []
  const ns = ending.cut.rrset(TYPE.NS)
  const owner = ending.cut.state?.owner
  return ns === undefined || owner === undefined ? [] : [{ owner, rrset: ns }]
}
