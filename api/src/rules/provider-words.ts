/** The provider's own names, so that no registered name can impersonate the provider. */
import { skeletonOf } from './skeleton.ts'
import { SECTIONS, type Words, type WordList } from './word-list.ts'

/** Shorter words occur in too many names. */
const SHORTEST = 4

/**
 * The label by which people know a zone: the longest one, except the top-level label. `homing` of
 * `eu.homing.test`, `example` of `dyn.example.co.uk`.
 */
function knownLabel(zone: string): string {
  const labels = zone.split('.').slice(0, -1)
  return labels.reduce((longest, label) => (label.length > longest.length ? label : longest), '')
}

/**
 * A list extended by the product's name and the zones' names, except those that the list lifts.
 *
 * A zone's whole name is refused alone. Its label is refused only with a lure, because `home` under
 * `home.example` is harmless.
 */
export function withProvider(
  { words, ...list }: WordList,
  productName: string,
  zones: readonly string[],
): WordList {
  const own: Partial<Words> = {
    alone: [productName, ...zones],
    joined: zones.map(knownLabel),
  }
  const all = SECTIONS.map((section) => {
    const added = (own[section] ?? []).filter((word) => skeletonOf(word).length >= SHORTEST)
    return [section, [...words[section], ...added]] as const
  })
  return { ...list, words: Object.fromEntries(all) as Record<(typeof SECTIONS)[number], string[]> }
}
