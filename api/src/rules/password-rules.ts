/**
 * What makes a password easy to guess: it is in lists of stolen passwords, or it is made of the names of the
 * account and the service. There are no rules on the characters of a password; a phrase that has such a word
 * beside others is as good as any.
 */

/** What the service and its trade are called. */
const SERVICE_WORDS = ['homing', 'dns', 'ddns', 'dyndns', 'nameserver', 'router'] as const

/** A word that is shorter stands in many others. */
const WORD_LIMIT = 3
/** So many letters besides the words make up something that nobody guesses from them. */
const LETTERS_LIMIT = 4

/** The words of a name, an address or a host: `ada.king@mail.example.net` → ada, king, mail, example, net. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= WORD_LIMIT)

/** Shorter passwords are refused by their length. */
const LENGTH_LIMIT = 8

let loading: Promise<ReadonlySet<string>> | undefined

/**
 * The passwords that most accounts of known breaches have: some 18,000 of eight characters and more. They are read
 * when they are first needed, which takes a third of a second once.
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
 * @param names of the account, its address, and the service's own
 */
export async function weaknessOf(
  password: string,
  names: readonly string[],
): Promise<'common' | 'made-of-names' | undefined> {
  if ((await commonPasswords()).has(password.toLowerCase())) return 'common'
  return isMadeOfNames(password, names) ? 'made-of-names' : undefined
}

/**
 * Whether a password is little more than words that anybody knows who knows the account: `Ada-Homing-2026!`.
 *
 * @param names of the account, its address, and the service's own
 */
export function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const lowered = password.toLowerCase()
  // The longest first: `dyndns` is not `dy` and `dns`.
  const words = [...new Set([...SERVICE_WORDS, ...names.flatMap(wordsOf)])].toSorted(
    (a, b) => b.length - a.length,
  )
  const rest = words.reduce((left, word) => left.replaceAll(word, ' '), lowered)
  if (rest === lowered) return false
  return rest.replaceAll(/[^\p{L}]+/gu, '').length < LETTERS_LIMIT
}
