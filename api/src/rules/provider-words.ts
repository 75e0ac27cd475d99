/** What the provider itself is called: names that speak for it are nobody's either. */
import { skeletonOf } from './skeleton.ts'
import { SECTIONS, type Words, type WordList } from './word-list.ts'

/** What is shorter stands in too many names. */
const SHORTEST = 4

/**
 * The label by which people know a zone: the longest, but for the last one, which is nobody's.
 * `homing` of `eu.homing.test`, `example` of `dyn.example.co.uk`.
 */
function knownLabel(zone: string): string {
  const labels = zone.split('.').slice(0, -1)
  return labels.reduce((longest, label) => (label.length > longest.length ? label : longest), '')
}

/**
 * A list with the product's name and the zones' names, but for those that it lifts.
 *
 * A zone's whole name is refused alone. Its label only with a lure, since `home` under
 * `home.example` says nothing.
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
