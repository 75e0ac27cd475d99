/**
 * Passwords that are easy to guess: those in lists of stolen passwords, and those that consist of the names
 * of the account and the service. The characters of a password are not restricted, and a phrase may contain
 * such a word beside others.
 */

/** Words for the service and its field. */
const SERVICE_WORDS = ['homing', 'dns', 'ddns', 'dyndns', 'nameserver', 'router'] as const

/** Shorter words occur in many others. */
const WORD_LIMIT = 3
/** With this many other letters, a password cannot be guessed from the words. */
const LETTERS_LIMIT = 4

/** The words of a name, an address or a host: `ada.king@mail.example.net` → ada, king, mail, example, net. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= WORD_LIMIT)

/** The length check refuses shorter passwords. */
const LENGTH_LIMIT = 8

let loading: Promise<ReadonlySet<string>> | undefined

/**
 * The most frequent passwords of known breaches: some 18,000 with eight characters or more. They are loaded on
 * first use, which takes a third of a second once.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter(({ length }) => length >= LENGTH_LIMIT)),
  )
  return loading
}

/**
 * Why a password is easy to guess; undefined when it is not.
 *
 * @param names the account's user name and address, and the service's own names
 */
export async function weaknessOf(
  password: string,
  names: readonly string[],
): Promise<'common' | 'made-of-names' | undefined> {
  if ((await commonPasswords()).has(password.toLowerCase())) return 'common'
  return isMadeOfNames(password, names) ? 'made-of-names' : undefined
}

/**
 * Whether a password is little more than words that are known to everyone who knows the account:
 * `Ada-Homing-2026!`.
 *
 * @param names the account's user name and address, and the service's own names
 */
export function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const lowered = password.toLowerCase()
  // Longest first, so that `dyndns` is not read as `dy` and `dns`.
  const words = [...new Set([...SERVICE_WORDS, ...names.flatMap(wordsOf)])].toSorted(
    (a, b) => b.length - a.length,
  )
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), lowered)
  if (rest === lowered) return false
  return rest.replaceAll(/[^\p{L}]+/gu, '').length < LETTERS_LIMIT
}
