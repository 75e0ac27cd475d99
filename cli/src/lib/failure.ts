/** What went wrong, for a person on one line and for a script as a problem document and an exit code. */
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'

export interface ProblemDocument {
  readonly title?: string
  readonly status?: number
  readonly detail: string
  readonly code?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
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

/** The failure that a problem document of the API tells. */
export function failureOf(problem: ProblemDocument, status: number): CommandFailure {
  const fields = (problem.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
  const detail = [problem.detail, ...fields].join(' ')
  const request = problem.requestId === undefined ? '' : ` (request ${problem.requestId})`
  const exitCode = exitCodeOf({
    status,
    ...(problem.code === undefined ? {} : { code: problem.code }),
  })
  return new CommandFailure(exitCode, `${detail}${request}`, problem)
}

/** The failure that `fetch` throws when no answer came. */
export function unreachable(server: string, error: unknown): CommandFailure {
  const { message, cause } = error as {
    message: string
    cause?: { code?: string; message?: string }
  }
  const reason =
    (error as Error).name === 'TimeoutError'
      ? 'it does not answer'
      : cause?.message || cause?.code || message
  return new CommandFailure(EXIT.network, `${server} cannot be reached: ${reason}.`)
}

/** Of oclif's errors: `parse` is there when the command line was wrong. */
interface CliError extends Error {
  readonly code?: string
  readonly parse?: unknown
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
  return `${told.join(' ').replaceAll(/\s+/g, ' ').replace(/\.$/, '')}. See homing --help.`
}

/** Any error as one line without a stack. */
export function describeFailure(error: unknown): Described {
  if (error instanceof CommandFailure) {
    const { exitCode, message, problem } = error
    return { exitCode, message, problem }
  }
  const { message, code, parse, oclif } = error as CliError
  // `--help` and `--version` end by an error that is none.
  if (code === 'EEXIT') return { exitCode: oclif?.exit ?? 0, message: '', problem: { detail: '' } }
  const isUsage = parse !== undefined || /^command .* not found$/.test(message)
  const detail = isUsage ? usageSentence(message) : (message.split('\n')[0] ?? '')
  return { exitCode: isUsage ? EXIT.usage : EXIT.failed, message: detail, problem: { detail } }
}
