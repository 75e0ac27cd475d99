/**
 * How far a client has followed the change feed: the serial of each zone in which its account has domains. Serials grow in
 * the order of commits, so what comes after a position is complete; ids of `domain_events` do not, because a transaction can
 * commit after one that took a higher id.
 *
 * As text it is the id of an event: `1-4711.5-88`.
 */

/** Serials by zone id. */
export type FeedPosition = ReadonlyMap<string, bigint>

/** Maximum number of zones in a text. An account with domains in more zones reads its lists again instead. */
const ZONES_LIMIT = 50
const TEXT_LIMIT = 2_000
const NUMBER = '[1-9][0-9]{0,17}'
const TEXT = new RegExp(`^${NUMBER}-${NUMBER}(\\.${NUMBER}-${NUMBER}){0,${ZONES_LIMIT - 1}}$`)

/** @returns undefined for an empty position, and for more zones than the limit */
export function textOfPosition(position: FeedPosition): string | undefined {
  if (position.size === 0 || position.size > ZONES_LIMIT) return undefined
  return [...position].map(([zoneId, serial]) => `${zoneId}-${serial}`).join('.')
}

/** @returns undefined for a text that is not a position */
export function positionOfText(text: string): FeedPosition | undefined {
  if (text.length > TEXT_LIMIT || !TEXT.test(text)) return undefined
  const pairs = text.split('.').map((pair) => pair.split('-') as [string, string])
  return new Map(pairs.map(([zoneId, serial]) => [zoneId, BigInt(serial)]))
}
