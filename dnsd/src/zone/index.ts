export { OwnerStateError, type OwnerState, type RRset } from './rrset.ts'
export type { SoaParameters } from './soa.ts'
export { Zone, type ZoneVersion } from './zone.ts'
export { Zones } from './zones.ts'
