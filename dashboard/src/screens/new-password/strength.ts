/**
 * An estimate of how hard a new password is to guess, with the reason. It helps while typing; the service decides, and
 * also knows the most common passwords.
 */

const LENGTH_LIMIT = 8

/** Words that begin most guesses, and words for the service and its field. */
const COMMON =
  'password passwort passw0rd letmein welcome iloveyou monkey dragon football baseball sunshine princess superman master shadow secret admin login changeme hello homing ddns dyndns dns router'.split(
    ' ',
  )

/** Keys and letters in a row. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
] as const
/** Shorter runs occur in words. */
const RUN_LIMIT = 4

export interface Strength {
  /** 1: too weak, …, 4: strong. */
  readonly level: 1 | 2 | 3 | 4
  /** The name of the level, and how to improve it. */
  readonly text: string
}

const reversed = (text: string) => text.split('').toReversed().join('')
const RUNS = ROWS.flatMap((row) => [row, reversed(row)]).flatMap((row) =>
  Array.from({ length: row.length - RUN_LIMIT + 1 }, (_, at) => row.slice(at, at + RUN_LIMIT)),
)

/** Replaces all but the first two characters of each run: `abcdef` counts like `ab`. */
function withoutRuns(text: string): string {
  let rest = text.replaceAll(/(.)\1{2,}/gu, '$1$1')
  for (const run of RUNS) rest = rest.replaceAll(run, run.slice(0, 2))
  return rest
}

/** The words of a name, an address or a host that are long enough to matter, the longest first. */
const wordsOf = (names: readonly string[]): string[] =>
  names
    .flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(({ length }) => length > 2)
    .toSorted((one, other) => other.length - one.length)

const without = (text: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(word, ''), text)

const CLASSES = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u] as const

/** How many characters count: a number like two digits, and three kinds of characters like one more. */
function effectiveLength(rest: string, password: string): number {
  const kinds = CLASSES.filter((kind) => kind.test(password)).length
  return rest.replaceAll(/\p{N}+/gu, '00').length + (kinds > 2 ? 1 : 0)
}

/** The part of the password that is easiest to guess; undefined when there is none. */
function reasonOf(password: string, names: readonly string[]): string | undefined {
  const lowered = password.toLowerCase()
  const half = lowered.length / 2
  if (without(lowered, wordsOf(names)).length < half) {
    return 'It consists mainly of your name, your address or the name of this service.'
  }
  if (without(lowered, COMMON).length < half) return 'It consists mainly of a very common word.'
  if (withoutRuns(lowered).length < half + 1) return 'It consists mainly of keys in a row.'
  return /^\p{N}+$/u.test(password) ? 'It has only digits. Add words.' : undefined
}

/** @param names what others know: the user name, the address, the service's own names */
export function strengthOf(password: string, names: readonly string[]): Strength {
  const missing = LENGTH_LIMIT - password.length
  if (missing > 0) {
    const characters = missing === 1 ? 'character' : 'characters'
    return { level: 1, text: `Too short: ${missing} more ${characters} at least.` }
  }
  const reason = reasonOf(password, names)
  if (reason !== undefined) return { level: 1, text: `Weak: ${reason}` }
  const rest = withoutRuns(without(password.toLowerCase(), [...wordsOf(names), ...COMMON]))
  const length = effectiveLength(rest, password)
  if (length < 10) return { level: 2, text: 'Fair: another word makes it harder to guess.' }
  return length < 15 ? { level: 3, text: 'Good' } : { level: 4, text: 'Strong' }
}
