/** Questions to the person at the terminal. Inquirer is loaded when the first one is asked: most commands ask nothing. */
import { usage } from './failure.ts'

export interface Asking {
  /** `--no-input` was given. */
  readonly isForbidden: boolean
}

/** Whether somebody is there to answer: a terminal to read from and one to ask on, and no pipeline. */
export function canAsk({ isForbidden }: Asking): boolean {
  return (
    !isForbidden && process.stdin.isTTY && process.stderr.isTTY && (process.env['CI'] ?? '') === ''
  )
}

/** Asks on stderr: stdout is for data. */
async function promptOnStderr() {
  const { createPromptModule } = (await import('inquirer')).default
  return createPromptModule({ output: process.stderr })
}

/**
 * A line of text.
 *
 * @param instead the flag that says it without a question
 * @throws CommandFailure when nobody is there to answer
 */
export async function askText(
  asking: Asking,
  { message, initial, instead }: { message: string; initial?: string; instead: string },
): Promise<string> {
  if (!canAsk(asking)) throw usage(`Nobody is here to answer "${message}": give ${instead}.`)
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: string }>([
    {
      type: 'input',
      name: 'answer',
      message,
      ...(initial === undefined ? {} : { default: initial }),
      validate: (text: string) => text.trim() !== '' || 'Something has to stand here.',
    },
  ])
  return answer.trim()
}

/** A secret: not shown while it is typed, nor by its length. @throws CommandFailure as `askText` */
export async function askSecret(
  asking: Asking,
  { message, instead }: { message: string; instead: string },
): Promise<string> {
  if (!canAsk(asking)) throw usage(`Nobody is here to answer "${message}": give ${instead}.`)
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: string }>([
    {
      type: 'password',
      name: 'answer',
      message,
      validate: (text: string) => text !== '' || 'Something has to stand here.',
    },
  ])
  return answer
}

/** Yes or no; no when only Enter is pressed. */
export async function askYesNo(message: string): Promise<boolean> {
  const prompt = await promptOnStderr()
  const { answer } = await prompt<{ answer: boolean }>([
    { type: 'confirm', name: 'answer', message, default: false },
  ])
  return answer
}
