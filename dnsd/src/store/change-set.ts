import { nextSerial } from '../names/index.ts'
import type { OwnerState, RRset, SoaParameters, Zone, ZoneVersion } from '../zone/index.ts'

/** The whole new state of a name, and the state that it replaces. */
export interface ChangedName extends OwnerState {
  /** Null: the name did not exist. */
  readonly before: readonly RRset[] | null
}

/** The changes of one transaction in one zone, and the version that they lead to. */
export interface ChangeSet {
  readonly version: ZoneVersion
  /** The token of the version that the set is based on. */
  readonly previousToken: string
  /** The other SOA fields, if they change with this set. */
  readonly soa?: SoaParameters
  readonly changes: readonly ChangedName[]
}

/**
 * Whether a set directly follows the version `held`. Tokens are random and each set names the token
 * before it, so a matching set was based on exactly this version, even if everything in between was
 * dropped long ago. Serials alone could not detect a database that was restored and then grew
 * again.
 */
export function continues(
  { version, previousToken }: Pick<ChangeSet, 'version' | 'previousToken'>,
  held: ZoneVersion,
): boolean {
  return (
    version.feedId === held.feedId &&
    previousToken === held.token &&
    version.serial === nextSerial(held.serial)
  )
}

/** Applies a whole set, in one synchronous step. */
export function applyChangeSet(zone: Zone, { changes, version, soa }: ChangeSet): void {
  zone.apply(changes, version, soa)
}
