/** Refuses secrets on the command line before anything else reads, stores or prints them. */
import { type CommandFailure, usage } from './failure.ts'

/** Flags by which other programs take a secret. */
const SECRET_FLAGS =
  /^--?(?:password|passwd|pass|token|api-?key|key|secret|with-token|with-password)(=|$)/i

/** The format of the service's keys and tokens: two letters for the type, and a long random text. */
const SECRET = /\b[a-z]{2}_[0-9A-Za-z]{36}\b/

const HINT =
  'everybody on this machine can see a secret on the command line. Use homing login, --password-file, or HOMING_API_KEY.'

/**
 * The refusal of a command line that contains a secret; undefined without one. The secret is not
 * repeated.
 */
export function secretRefusal(argv: readonly string[]): CommandFailure | undefined {
  for (const word of argv) {
    const [flag = ''] = word.split('=')
    // `--with-token` alone reads standard input; a value of it would be a secret.
    const isBareReader = word === '--with-token'
    if (SECRET_FLAGS.test(word) && !isBareReader) return usage(`${flag} is not accepted: ${HINT}`)
    if (SECRET.test(word)) return usage(`An argument looks like a key: ${HINT}`)
  }
  return undefined
}
