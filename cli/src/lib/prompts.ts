/** Prompts at the terminal. Inquirer is loaded at the first prompt, because most commands have no prompts. */
import { usage } from './failure.ts'

export interface Asking {
  /** `--no-input` was given. */
  readonly isForbidden: boolean
}

/**
 * Whether prompts are possible: stdin and stderr are terminals, stdin was not read to its end, and neither `--no-input` nor
 * CI is set.
 */
export function canAsk({ isForbidden }: Asking): boolean {
  const { stdin, stderr } = process
  const isTerminal = stdin.isTTY && !stdin.destroyed && stderr.isTTY
  return !isForbidden && isTerminal && (process.env['CI'] ?? '') === ''
}

/** The failure when a prompt is needed and not possible. @param instead what to give without a prompt */
export const unanswered = (message: string, instead: string) =>
  usage(`"${message}" needs an answer, and prompts are off: give ${instead}.`)

/** Asks on stderr: stdout is for data. */
async function promptOnStderr() {
  const { createPromptModule } = (await import('inquirer')).default
  return createPromptModule({ output: process.stderr })
}

/**
 * A line of text.
 *
 * @param instead the flag that gives it without a prompt
 * @throws CommandFailure when prompts are not possible
 */
export async function askText(
  asking: Asking,
  { message, initial, instead }: { message: string; initial?: string; instead: string },
): Promise<string> {
  if (!canAsk(asking)) throw unanswered(message, instead)
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: string }>([
    {
      type: 'input',
      name: 'answer',
      message,
      ...(initial === undefined ? {} : { default: initial }),
      validate: (text: string) => text.trim() !== '' || 'Enter a value.',
    },
  ])
  return answer.trim()
}

/** A secret. Neither its characters nor its length are shown. @throws CommandFailure as `askText` */
export async function askSecret(
  asking: Asking,
  { message, instead }: { message: string; instead: string },
): Promise<string> {
  if (!canAsk(asking)) throw unanswered(message, instead)
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: string }>([
    {
      type: 'password',
      name: 'answer',
      message,
      validate: (text: string) => text !== '' || 'Enter a value.',
    },
  ])
  return answer
}

/** Yes or no; Enter alone means no. */
export async function askYesNo(message: string): Promise<boolean> {
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: boolean }>([
    { type: 'confirm', name: 'answer', message, default: false },
  ])
  return answer
}
