import { TYPE } from '../names/index.ts'
import type { RRset, Zone } from '../zone/index.ts'

/** The feed's RRsets for a name; null if the name has no RRsets. The SOA, which the zone makes itself, is left out. */
export function publishedAt(zone: Zone, key: string): readonly RRset[] | null {
  const rrsets = zone.node(key)?.state?.rrsets ?? null
  return key === zone.key && rrsets !== null
    ? rrsets.filter(({ type }) => type !== TYPE.SOA)
    : rrsets
}
