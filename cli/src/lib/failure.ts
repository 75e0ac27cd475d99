/** What went wrong, for a person on one line and for a script as a problem document and an exit code. */
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import { duration, printable } from './text.ts'

export interface ProblemDocument {
  readonly title?: string
  readonly status?: number
  readonly detail: string
  readonly code?: string
  /** A list of `{ field, message }`, where the API wrote it. */
  readonly errors?: unknown
  readonly requestId?: string
}

/** A failure that a command has understood. The message is a sentence for the person who typed the command. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  readonly problem: ProblemDocument

  constructor(exitCode: ExitCode, message: string, problem: ProblemDocument = { detail: message }) {
    super(message)
    this.exitCode = exitCode
    this.problem = problem
  }
}

/** A mistake on the command line. */
export const usage = (message: string) => new CommandFailure(EXIT.usage, message)

/** What to do next, by the problem's code, where its own words do not say it. */
const HINTS: Readonly<Record<string, string>> = {
  'email-not-verified': 'The link is in the mail that came when you registered.',
  'no-update-token': 'Make one: homing tokens create NAME',
  'step-up-required': 'Do it at a terminal, or sign in again first: homing login',
  'update-token-exists': 'The flag for that is --replace.',
}

/**
 * The failure that a problem document of the API tells.
 *
 * @param retryAfter the header of that name, in seconds
 */
export function failureOf(
  problem: ProblemDocument,
  status: number,
  retryAfter: string | null,
): CommandFailure {
  const fields = fieldErrorsOf(problem)
    // A field's message is often the whole of the detail already.
    .filter(({ message }) => !problem.detail.includes(message))
    .map(({ field, message }) => `${field}: ${message}`)
  const hint = HINTS[problem.code ?? '']
  const wait = Number(retryAfter)
  const sentences = [
    problem.detail,
    ...fields,
    ...(hint === undefined ? [] : [hint]),
    ...(wait > 0 ? [`Try again in ${duration(wait)}.`] : []),
    // What the service did wrong it finds by this; a refusal says all itself.
    ...(problem.requestId === undefined || status < 500 ? [] : [`(request ${problem.requestId})`]),
  ]
  const exitCode = exitCodeOf({
    status,
    ...(problem.code === undefined ? {} : { code: problem.code }),
  })
  return new CommandFailure(exitCode, printable(sentences.join(' ')), problem)
}

interface FieldError {
  readonly field: string
  readonly message: string
}

const isFieldError = (value: unknown): value is FieldError =>
  typeof value === 'object' &&
  value !== null &&
  'field' in value &&
  'message' in value &&
  typeof value.message === 'string'

const fieldErrorsOf = ({ errors }: ProblemDocument): FieldError[] =>
  Array.isArray(errors) ? errors.filter(isFieldError) : []

/** Of oclif's errors. Its own are about the command line; only a module that does not load is none. */
interface CliError extends Error {
  readonly code?: string
  readonly oclif?: { readonly exit?: number }
}

interface Described {
  readonly exitCode: number
  /** Empty when there is nothing to say. */
  readonly message: string
  readonly problem: ProblemDocument
}

/** The sentence in the lines of a parser's message, which ends with a hint of its own. */
function usageSentence(message: string): string {
  const lines = message.split('\n').map((line) => line.trim())
  const told = lines.filter(
    (line) => !/^$|^See more help|^The following errors? occurred/.test(line),
  )
  return printable(told.join(' ').replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
}

/** Any error as one line without a stack. */
export function describeFailure(error: unknown): Described {
  if (error instanceof CommandFailure) {
    const { exitCode, message, problem } = error
    return { exitCode, message, problem }
  }
  const { message, code, name, oclif } = error as CliError
  // `--help` and `--version` end by an error that is none.
  if (code === 'EEXIT') return { exitCode: oclif?.exit ?? 0, message: '', problem: { detail: '' } }
  // Ctrl-C at a question.
  if (name === 'ExitPromptError' || name === 'AbortPromptError') {
    return { exitCode: EXIT.interrupted, message: '', problem: { detail: '' } }
  }
  const isUsage = oclif !== undefined && code !== 'MODULE_NOT_FOUND'
  const detail = isUsage ? usageSentence(message) : printable(message.split('\n')[0] ?? '')
  return { exitCode: isUsage ? EXIT.usage : EXIT.failed, message: detail, problem: { detail } }
}
