/** Secrets from standard input, one per line. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { type Asking, askSecret } from './prompts.ts'

/** A longer line is not a password, a key or a token. Tokens of issuers are the longest of them. */
const LIMIT_CHARACTERS = 16_384

/** Whether standard input has the secrets. At a terminal they would be shown, so prompts ask for them instead. */
export const isPiped = (): boolean => !process.stdin.isTTY

/**
 * A secret: the first line of standard input, or at a terminal the answer to a prompt, which is not shown.
 *
 * @param what is read, for messages: `password`
 * @throws CommandFailure as `firstLineOfStdin`, or at a terminal when prompts are not possible
 */
export async function secretOfStdin(
  asking: Asking,
  { what, message }: { what: string; message: string },
): Promise<string> {
  if (isPiped()) return firstLineOfStdin(what)
  return askSecret(asking, { message, instead: 'it on standard input' })
}

/**
 * The first line of standard input, without its end.
 *
 * @param what is read, for the message: `password`
 * @throws CommandFailure when it is empty or too long
 */
export async function firstLineOfStdin(what: string): Promise<string> {
  const [line = ''] = await linesOfStdin(what, 1)
  return line
}

const ORDINALS = ['first', 'second'] as const

/** The first one or two lines of standard input. @throws CommandFailure as `firstLineOfStdin` */
export async function linesOfStdin(what: string, count: 1 | 2): Promise<string[]> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.split('\n').length > count || text.length > count * LIMIT_CHARACTERS) break
  }
  process.stdin.destroy()
  const lines = text.split(/\r?\n/)
  return ORDINALS.slice(0, count).map((ordinal, at) => {
    const line = lines[at] ?? ''
    if (line !== '' && line.length <= LIMIT_CHARACTERS) return line
    const fault = line === '' ? 'empty' : 'too long'
    throw new CommandFailure(
      EXIT.auth,
      `No ${what}: the ${ordinal} line of standard input is ${fault}.`,
    )
  })
}
