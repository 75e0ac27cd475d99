/**
 * What a name looks like: labels that a reader confuses have the same skeleton.
 *
 *   paypa1, PayPal, pаypal (Cyrillic а), pay-pal, paypaal → paypai
 *
 * This follows Unicode's skeletons (UTS #39 §4) and goes further, because a reader sees the name in a
 * line of mail, in any font, with nothing to compare it to:
 *
 *   1. characters of all scripts become the ASCII characters that they look like; marks are removed
 *   2. digits become the letters that they replace; i, l and 1 all become i
 *   3. a repeated letter is kept once
 *   4. m, w and d become rn, vv and ci, because readers confuse rn and m
 *
 * Each character is replaced on its own and only equal neighbours are merged, so a word inside a name is
 * found in the name's skeleton, wherever it begins. Skeletons are for comparison only and are never
 * shown.
 */
import lookAlikesOf from 'unhomoglyph'

/** A skeleton, with details of the original text. */
export interface Shape {
  readonly text: string
  /** For each character: whether it replaces digits only. */
  readonly isDigit: readonly boolean[]
  /** For each character: whether it replaces several equal ones. */
  readonly isRepeated: readonly boolean[]
}

interface Seen {
  readonly letter: string
  readonly isDigit: boolean
  readonly isRepeated: boolean
}

/**
 * Characters that Unicode distinguishes and a reader of Latin letters does not: small capitals, and shapes like a
 * w.
 */
const BEYOND_UNICODE: Readonly<Record<string, string>> = {
  ʙ: 'b',
  ɢ: 'g',
  ʜ: 'h',
  ĸ: 'k',
  ʟ: 'i',
  ʍ: 'm',
  ɴ: 'n',
  ʀ: 'r',
  ᴛ: 't',
  ω: 'w',
  ɯ: 'w',
}

/** Digits that replace letters, and letters that look like others. */
const ONE_FOR_ALL: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'b',
  '7': 't',
  '8': 'b',
  '9': 'g',
  l: 'i',
  q: 'g',
}

/** Two letters that look like one. */
const WRITTEN_AS_TWO: Readonly<Record<string, string>> = { m: 'rn', w: 'vv', d: 'ci' }

/**
 * The skeletons by which a word must be searched: a double m counts once, but either of the two can
 * be written as rn.
 */
export const skeletonsOf = (word: string): ReadonlySet<string> =>
  new Set(
    [word, word.replaceAll(/([mwd])\1/g, (_, m: string) => `${WRITTEN_AS_TWO[m]}`.repeat(2))].map(
      skeletonOf,
    ),
  )

const isSeen = (character: string) => /^[\p{L}\p{N}]$/u.test(character)

/** The letters that a character looks like; empty for marks, hyphens and dots. */
function lettersOf(character: string): readonly string[] {
  const usual = ONE_FOR_ALL[character] ?? BEYOND_UNICODE[character]
  if (usual !== undefined) return [usual]
  // Each character is looked up alone: the look of a sequence must not depend on where a word
  // begins.
  const likeness = lookAlikesOf(character).normalize('NFKD').toLowerCase()
  if (likeness === character) return isSeen(character) ? [character] : []
  return Array.from(likeness).flatMap(lettersOf)
}

/** Precomputed for the characters of nearly all names. */
const ASCII: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz0123456789-.', (character) => [
    character,
    /[a-z]/.test(character) ? [ONE_FOR_ALL[character] ?? character] : lettersOf(character),
  ]),
)

/** Merges equal neighbours, except two v, which are a w. */
function withoutRepeats(seen: readonly Seen[]): Seen[] {
  const once: Seen[] = []
  for (const each of seen) {
    const last = once.at(-1)
    if (last === undefined || last.letter !== each.letter || each.letter === 'v') once.push(each)
    else
      once[once.length - 1] = { ...each, isDigit: last.isDigit && each.isDigit, isRepeated: true }
  }
  return once
}

/** The shape of a text in any script. Only letters and digits are kept. */
export function shapeOf(text: string): Shape {
  const seen = Array.from(text.toLowerCase().normalize('NFKD')).flatMap((character) => {
    const isDigit = character >= '0' && character <= '9'
    return (ASCII.get(character) ?? lettersOf(character)).map((letter) => ({
      letter,
      isDigit,
      isRepeated: false,
    }))
  })
  const spelled = withoutRepeats(seen).flatMap((each) =>
    Array.from(WRITTEN_AS_TWO[each.letter] ?? each.letter, (letter) => ({ ...each, letter })),
  )
  const shape = withoutRepeats(spelled)
  return {
    text: shape.map(({ letter }) => letter).join(''),
    isDigit: shape.map(({ isDigit }) => isDigit),
    isRepeated: shape.map(({ isRepeated }) => isRepeated),
  }
}

/** The skeleton of a text. Each of its letters is its own skeleton. */
export const skeletonOf = (text: string): string => shapeOf(text).text
