/**
 * What a name looks like: labels that a reader takes for each other have one skeleton.
 *
 *   paypa1, PayPal, pаypal (Cyrillic а), pay-pal, paypaal → paypai
 *
 * It goes the way of Unicode's own (UTS #39 §4) and further, since here a reader sees a name in
 * a line of mail, in whatever font, and does not compare it with anything:
 *
 *   1. characters of all scripts become those of ASCII that they look like; marks are left out
 *   2. digits become the letters that they stand for, and of i, l and 1 there is only i
 *   3. a letter that is repeated stands once
 *   4. m, w and d are written as rn, vv and ci: an r before an n is seen as an m, and the other way round
 *
 * Each character is replaced on its own and only neighbours that are equal are joined, so a word
 * that stands in a name is found in the name's skeleton, wherever it begins. A skeleton is for
 * comparing: nobody is shown one.
 */
import lookAlikesOf from 'unhomoglyph'

/** A skeleton and where it came from. */
export interface Shape {
  readonly text: string
  /** For each character of the text: whether nothing but digits was seen there. */
  readonly isDigit: readonly boolean[]
  /** For each character of the text: whether it stands for several that were equal. */
  readonly isRepeated: readonly boolean[]
}

interface Seen {
  readonly letter: string
  readonly isDigit: boolean
  readonly isRepeated: boolean
}

/** What Unicode tells apart, and a reader of Latin letters does not: small capitals, and what is drawn like a w. */
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

/** Digits for letters, and letters that are taken for others. */
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

/** Two letters that are seen as one. */
const WRITTEN_AS_TWO: Readonly<Record<string, string>> = { m: 'rn', w: 'vv', d: 'ci' }

/**
 * The ways in which a word has to be looked for: an m that stands twice counts once, but one of the
 * two may be written as rn.
 */
export const skeletonsOf = (word: string): ReadonlySet<string> =>
  new Set(
    [word, word.replaceAll(/([mwd])\1/g, (_, m: string) => `${WRITTEN_AS_TWO[m]}`.repeat(2))].map(
      skeletonOf,
    ),
  )

const isSeen = (character: string) => /^[\p{L}\p{N}]$/u.test(character)

/** The letters that one character is taken for: none for marks, hyphens and dots. */
function lettersOf(character: string): readonly string[] {
  const usual = ONE_FOR_ALL[character] ?? BEYOND_UNICODE[character]
  if (usual !== undefined) return [usual]
  // Each is asked for alone: what a sequence looks like must not depend on where a word begins.
  const likeness = lookAlikesOf(character).normalize('NFKD').toLowerCase()
  if (likeness === character) return isSeen(character) ? [character] : []
  return Array.from(likeness).flatMap(lettersOf)
}

/** Of the characters that nearly all names are made of. */
const ASCII: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz0123456789-.', (character) => [
    character,
    /[a-z]/.test(character) ? [ONE_FOR_ALL[character] ?? character] : lettersOf(character),
  ]),
)

/** Equal neighbours as one. Two v are a w, and stay two. */
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

/** The shape of a text in any script; what is neither letter nor digit is left out. */
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

/** The skeleton of a text, in letters that have none but themselves. */
export const skeletonOf = (text: string): string => shapeOf(text).text
