/**
 * Names that impersonate another party: `paypa1-login`, `secure-chase`, `rnicrosoft365`.
 *
 * The rules compare skeletons (`skeleton.ts`), so a look-alike counts as the word itself. A name
 * impersonates when one of these rules matches:
 *
 *   contained  it contains a word of `anywhere`, whatever surrounds or splits the word
 *   part       a part between hyphens or dots contains a word of `part` and otherwise only lures,
 *              fillers and digits: `ebay-cars`, `ebaylogin-cars`, `dhl24-office`
 *   joined     some consecutive parts, a label or the whole name consist of protected words,
 *              lures, fillers and digits only, with at least one of each of the first two:
 *              `apple-login-x7`, `secureapple2`
 *   alone      the label directly below the zone is as in `joined`, but without a lure, and has a
 *              word of `alone`: `chase`, `my-chase`, `chase24`
 *
 * So a word that also means something else is refused only when the name says nothing else:
 * `apple-pie`, `chase-family` and `visage` are allowed.
 */
import { uLabel } from '@homing/dnsd/names'
import { type Shape, shapeOf, skeletonOf, skeletonsOf } from './skeleton.ts'
import { SECTIONS, type Section, type WordList } from './word-list.ts'
import { WordTree } from './word-tree.ts'

/** The rules. Refusals are counted by rule. */
export const LOOKALIKE_RULES = ['contained', 'part', 'joined', 'alone'] as const
export type LookalikeRule = (typeof LOOKALIKE_RULES)[number]

/** How distinctive a protected word is. The strongest word of a label counts. */
const STRENGTH: Readonly<Record<Section, number>> = {
  lure: 0,
  filler: 0,
  joined: 1,
  alone: 2,
  part: 3,
  anywhere: 3,
}
const NONE = 0
const ALONE = 2
const PART = 3

/** Adjacent parts that are read as one: a word and a lure, one of which may be split in two. */
const NEIGHBOURS_LIMIT = 3

/** What a text contains that consists of known words only. */
interface Making {
  readonly strength: number
  readonly hasLure: boolean
}

const NOTHING: Making = { strength: NONE, hasLure: false }

/** A making as a number below 8, so that one octet holds a set of them. */
const numberOf = ({ strength, hasLure }: Making) => strength * 2 + (hasLure ? 1 : 0)
const MAKINGS: readonly Making[] = Array.from({ length: 8 }, (_, number) => ({
  strength: number >> 1,
  hasLure: (number & 1) === 1,
}))

/** A set of makings, each extended by one word. */
function withWord(set: number, section: Section): number {
  let grown = 0
  for (const [number, { strength, hasLure }] of MAKINGS.entries()) {
    if ((set & (1 << number)) === 0) continue
    const more = {
      strength: Math.max(strength, STRENGTH[section]),
      hasLure: hasLure || section === 'lure',
    }
    grown |= 1 << numberOf(more)
  }
  return grown
}

/** The protected words of a service, prepared for look-ups. */
export class LookalikeNames {
  readonly #words = new WordTree()

  constructor({ words, lifted }: WordList) {
    for (const section of SECTIONS) {
      for (const word of words[section]) {
        if (lifted.has(skeletonOf(word))) continue
        for (const skeleton of skeletonsOf(word)) this.#words.add(skeleton, section)
      }
    }
  }

  /**
   * The rule that a name breaks; undefined for an allowed name. Takes time proportional to the
   * name's length.
   *
   * @param name the part below the zone, as A-labels in lower case: `paypa1-login`, `www.chase`
   */
  ruleBroken(name: string): LookalikeRule | undefined {
    const labels = name
      .split('.')
      .map((label) => (label.startsWith('xn--') ? uLabel(label) : label))
    const whole = shapeOf(labels.join(''))
    const protectedSections = this.#sectionsIn(whole)
    if (protectedSections.size === 0) return undefined
    if (protectedSections.has('anywhere')) return 'contained'
    const parts = labels.flatMap((label) => label.split('-'))
    if (parts.some((part) => this.#makings(shapeOf(part)).some(isPart))) return 'part'
    const shapes = labels.map(shapeOf)
    const near = neighbours(parts).map(shapeOf)
    if ([whole, ...shapes, ...near].some((shape) => this.#makings(shape).some(isJoined))) {
      return 'joined'
    }
    const below = shapes.at(-1)
    return below && this.#makings(below).some(isAlone) ? 'alone' : undefined
  }

  /** The sections of all protected words that a text contains. */
  #sectionsIn({ text }: Shape): Set<Section> {
    const characters = Array.from(text)
    const sections = new Set<Section>()
    for (const place of characters.keys()) {
      for (const { section } of this.#words.from(characters, place)) {
        if (STRENGTH[section] > NONE) sections.add(section)
      }
    }
    return sections
  }

  /**
   * Every way to read a text as known words and digits only; empty when the text contains anything
   * else. A repeated letter can end one word and begin the next, as in `metaaccount`.
   */
  #makings(shape: Shape): Making[] {
    const { text, isDigit } = shape
    const characters = Array.from(text)
    // For each place, the set of makings of the text before it.
    const before = new Uint8Array(characters.length + 1)
    before[0] = 1 << numberOf(NOTHING)
    for (let place = 0; place < characters.length; place += 1) {
      const set = before[place] ?? 0
      if (set === 0) continue
      if (isDigit[place] === true) before[place + 1] = (before[place + 1] ?? 0) | set
      for (const { section, end } of this.#words.from(characters, place)) {
        // `room-401` has a number, and not `aol`.
        if (isDigit.slice(place, end).every(Boolean)) continue
        const grown = withWord(set, section)
        for (const next of ends(shape, place, end)) before[next] = (before[next] ?? 0) | grown
      }
    }
    const set = before[characters.length] ?? 0
    return MAKINGS.filter((_, number) => (set & (1 << number)) !== 0)
  }
}

/**
 * Where the next word can begin: after this one, or at its last letter, which is two characters for m, w and
 * d.
 */
function ends({ isRepeated }: Shape, begin: number, end: number): number[] {
  const places = [end]
  for (let place = end - 1; place > Math.max(begin, end - 3) && isRepeated[place]; place -= 1) {
    places.push(place)
  }
  return places
}

/** Consecutive parts, joined into one text each. */
function neighbours(parts: readonly string[]): string[] {
  return parts.flatMap((_, first) =>
    Array.from({ length: NEIGHBOURS_LIMIT }, (_each, more) =>
      parts.slice(first, first + more + 1).join(''),
    ),
  )
}

const isPart = ({ strength }: Making) => strength >= PART
const isJoined = ({ strength, hasLure }: Making) => strength > NONE && hasLure
const isAlone = ({ strength }: Making) => strength >= ALONE
