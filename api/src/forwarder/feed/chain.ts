/*
 * Change sets form a chain (docs/decisions/0003-tokens-chain-the-change-sets.md): each names the token before it. A follower
 * continues only from the token that it holds.
 */
import type { FeedVersion } from '../forward-table.ts'
import type { ChangesRead, ForwardChangeSet } from './change-reader.ts'

/** Why the whole feed is read instead of its changes. */
export type RereadReason =
  | 'first-read'
  | 'feed-changed'
  | 'serial-went-back'
  | 'history-differs'
  | 'behind-retention'

const continues = ({ version, previousToken }: ForwardChangeSet, held: FeedVersion): boolean =>
  version.feedId === held.feedId &&
  previousToken === held.token &&
  version.serial === held.serial + 1n

/** Undefined when the follower can continue from the version that it holds. */
export function rereadReason(
  held: FeedVersion,
  { present, sets, isStandby }: ChangesRead,
): RereadReason | undefined {
  if (present.feedId !== held.feedId) return 'feed-changed'
  // A read replica may lag behind its primary. That is not a restore, and waiting is correct.
  if (present.serial < held.serial) return isStandby ? undefined : 'serial-went-back'
  if (present.serial === held.serial) {
    return present.token === held.token ? undefined : 'history-differs'
  }
  const [next] = sets
  if (next !== undefined && continues(next, held)) return undefined
  return next?.version.serial === held.serial + 1n ? 'history-differs' : 'behind-retention'
}

/** The leading sets that form a chain from a version. */
export function chainFrom(
  held: FeedVersion,
  sets: readonly ForwardChangeSet[],
): ForwardChangeSet[] {
  const chain: ForwardChangeSet[] = []
  let version = held
  for (const set of sets) {
    if (!continues(set, version)) break
    chain.push(set)
    version = set.version
  }
  return chain
}
