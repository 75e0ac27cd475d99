/** Errors: one line for a person, a problem document and an exit code for a script. */
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import { printable, retrySeconds, retrySentence } from './text.ts'

export interface ProblemDocument {
  readonly title?: string
  readonly status?: number
  readonly detail: string
  readonly code?: string
  /** A list of `{ field, message }`, where the API wrote it. */
  readonly errors?: unknown
  readonly requestId?: string
  /** With `batch-refused`: the refused lines. */
  readonly verdicts?: unknown
  /** With a zone file that is refused: its wrong lines. */
  readonly problems?: unknown
  /** Seconds to wait before the next attempt, from the header `Retry-After`. */
  readonly retry_after?: number
}

/** A failure that this program can explain. The message is a sentence for the user. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  readonly problem: ProblemDocument
  /** Whether the call may have reached the service, but its response was lost. */
  isAnswerLost = false

  constructor(exitCode: ExitCode, message: string, problem: ProblemDocument = { detail: message }) {
    super(message)
    this.exitCode = exitCode
    this.problem = problem
  }
}

/** A mistake on the command line, in one line. It may repeat arguments, which come from anywhere. */
export const usage = (message: string) => new CommandFailure(EXIT.usage, printable(message))

/** What to do next, by the problem's code, if its detail does not say so. */
const HINTS: Readonly<Record<string, string>> = {
  'email-not-verified': 'Open the link in the mail that you got when you registered.',
  'no-subscription': 'Buy a plan: homing plan change pro',
  'no-update-token': 'Create one: homing tokens create DOMAIN',
  'record-exists':
    'Change it with homing records update, or add a value to it with homing records add --append.',
  'step-up-required': 'Run the command at a terminal, or sign in again first: homing login',
  'update-token-exists': 'To replace it, give --replace.',
}

/**
 * The failure for a problem document of the API.
 *
 * @param retryAfter the header `Retry-After`
 */
export function failureOf(
  problem: ProblemDocument,
  status: number,
  retryAfter: string | null,
): CommandFailure {
  const fields = fieldErrorsOf(problem)
    // The detail often repeats a field's message.
    .filter(({ message }) => !problem.detail.includes(message))
    .map(({ field, message }) => `${field}: ${message}`)
  const hint = HINTS[problem.code ?? '']
  const retry = retrySentence(retryAfter, Date.now())
  const sentences = [
    problem.detail,
    ...fields,
    ...(hint === undefined ? [] : [hint]),
    ...(retry === undefined ? [] : [retry]),
    // Operators find an error of the service by this id. A refusal does not need it.
    ...(problem.requestId === undefined || status < 500 ? [] : [`(request ${problem.requestId})`]),
  ]
  const exitCode = exitCodeOf({
    status,
    ...(problem.code === undefined ? {} : { code: problem.code }),
  })
  const text = printable(sentences.join(' '))
  return new CommandFailure(exitCode, text, withRetry(problem, retryAfter))
}

/** The problem with the time to wait, if there is one. @param retryAfter the header `Retry-After` */
export function withRetry(problem: ProblemDocument, retryAfter: string | null): ProblemDocument {
  const seconds = retrySeconds(retryAfter, Date.now())
  return seconds === undefined ? problem : { ...problem, retry_after: seconds }
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

/** The fields of oclif's errors. They are about the command line, except for a module that does not load. */
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

/** The sentence in a parser's message, without the parser's own hint. */
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
    return { exitCode, message: message.split('\n').map(printable).join('\n'), problem }
  }
  const { message, code, name, oclif } = error as CliError
  // `--help` and `--version` end with an error that is not a failure.
  if (code === 'EEXIT') return { exitCode: oclif?.exit ?? 0, message: '', problem: { detail: '' } }
  // Ctrl-C at a prompt.
  if (name === 'ExitPromptError' || name === 'AbortPromptError') {
    return { exitCode: EXIT.interrupted, message: '', problem: { detail: '' } }
  }
  const isUsage = oclif !== undefined && code !== 'MODULE_NOT_FOUND'
  const detail = isUsage ? usageSentence(message) : printable(message.split('\n')[0] ?? '')
  return { exitCode: isUsage ? EXIT.usage : EXIT.failed, message: detail, problem: { detail } }
}
