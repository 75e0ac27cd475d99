/**
 * Lists of words that names must not impersonate, as text:
 *
 *   # what follows is a comment
 *   [anywhere]
 *   paypal google
 *   [joined]
 *   steam
 *   -apple
 *
 * A word belongs to the section above it, which says where it is looked for. `-apple` removes a
 * word of the earlier lists, and `-*` removes all of them.
 */
import { skeletonOf } from './skeleton.ts'

/**
 * Where a word is looked for (`lookalike-names.ts` has the rule): `anywhere` in a name; as a `part`
 * between hyphens; `alone`, as the whole name; only where it is `joined` with a lure. A `lure` is a
 * word that makes an impersonation credible: login, secure. A `filler` adds no meaning: my, the.
 */
export const SECTIONS = ['anywhere', 'part', 'alone', 'joined', 'lure', 'filler'] as const
export type Section = (typeof SECTIONS)[number]

/** Words by section. */
export type Words = Readonly<Record<Section, readonly string[]>>

export interface WordList {
  readonly words: Words
  /** Skeletons of removed words, whichever list contains them. */
  readonly lifted: ReadonlySet<string>
  /** Whether it replaces the earlier lists. */
  readonly isWhole: boolean
}

/** A line that cannot be parsed. */
export class WordListError extends Error {
  override readonly name = 'WordListError'
}

/** Shorter words occur in too many unrelated words. */
const SHORTEST: Readonly<Partial<Record<Section, number>>> = { anywhere: 5, filler: 2 }
const SHORTEST_WORD = 3
/** The longest label. */
const LONGEST = 63

export const noWords = (): Record<Section, string[]> => ({
  anywhere: [],
  part: [],
  alone: [],
  joined: [],
  lure: [],
  filler: [],
})

function sectionOf(header: string): Section {
  const section = SECTIONS.find((each) => `[${each}]` === header)
  if (section !== undefined) return section
  throw new WordListError(`${header} is not a section; the sections are ${SECTIONS.join(', ')}`)
}

function requireLength(word: string, section: Section): void {
  const shortest = SHORTEST[section] ?? SHORTEST_WORD
  const { length } = skeletonOf(word)
  if (length >= shortest && word.length <= LONGEST) return
  throw new WordListError(
    `${JSON.stringify(word)} must have ${shortest} to ${LONGEST} characters in the section ${section}`,
  )
}

/**
 * Parses a list.
 *
 * @throws WordListError with the number of the invalid line
 */
export function parseWordList(text: string): WordList {
  const words = noWords()
  const lifted = new Set<string>()
  let isWhole = false
  let section: Section | undefined
  const read = (word: string) => {
    if (word.startsWith('[')) section = sectionOf(word)
    else if (word === '-*') isWhole = true
    else if (word.startsWith('-')) lifted.add(skeletonOf(word))
    else if (section === undefined) throw new WordListError('a word comes before the first section')
    else {
      requireLength(word, section)
      words[section].push(word)
    }
  }
  for (const [at, line] of text.split('\n').entries()) {
    try {
      const content = line.replace(/#.*/, '')
      for (const word of content.split(/\s+/)) if (word !== '') read(word)
    } catch (error) {
      if (error instanceof WordListError) error.message = `line ${at + 1}: ${error.message}`
      throw error
    }
  }
  return { words, lifted, isWhole }
}

/** A list with the additions and removals of another one. */
export function extended(list: WordList, by: WordList): WordList {
  if (by.isWhole) return by
  const words = noWords()
  for (const section of SECTIONS) words[section].push(...list.words[section], ...by.words[section])
  return { words, lifted: new Set([...list.lifted, ...by.lifted]), isWhole: list.isWhole }
}
