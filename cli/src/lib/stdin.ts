/** Secrets from standard input, one per line. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** A longer line is not a password, a key or a token. Tokens of issuers are the longest of them. */
const LIMIT_CHARACTERS = 16_384

/**
 * The first line of standard input, without its end.
 *
 * @param what is read, for the message: `password`
 * @throws CommandFailure when it is empty or too long
 */
export async function firstLineOfStdin(what: string): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n') || text.length > LIMIT_CHARACTERS) break
  }
  process.stdin.destroy()
  const [line = ''] = text.split(/\r?\n/)
  if (line !== '' && line.length <= LIMIT_CHARACTERS) return line
  throw new CommandFailure(
    EXIT.auth,
    `No ${what}: the first line of standard input is ${line === '' ? 'empty' : 'too long'}.`,
  )
}
