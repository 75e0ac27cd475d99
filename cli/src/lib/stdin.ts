/** Secrets from standard input, one a line. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Longer lines are no password and no key; the tokens of issuers can be longer. */
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
