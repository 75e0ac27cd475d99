/**
 * Words that make a password easy to guess for this account: who it is of, and what it is for. There are no rules
 * on what characters a password holds; a phrase in which such a word stands beside others is as good as any.
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
