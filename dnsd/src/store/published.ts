import { TYPE } from '../names/index.ts'
import type { RRset, Zone } from '../zone/index.ts'

/** What the feed published for a name; null when nothing. The SOA, which the zone makes itself, is not in it. */
export function publishedAt(zone: Zone, key: string): readonly RRset[] | null {
  const rrsets = zone.node(key)?.state?.rrsets ?? null
  return key === zone.key && rrsets !== null
    ? rrsets.filter(({ type }) => type !== TYPE.SOA)
    : rrsets
}
