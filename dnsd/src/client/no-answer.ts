import { DnsClientError } from './errors.ts'
import { type DnsServer, serverToText } from './server.ts'

/** Why a server gave no answer: a time-out, it is unreachable, or its message does not answer the question. */
export type FailureReason = 'timeout' | 'unreachable' | 'bad-answer'

/** One try at one server that gave no answer. */
export class ServerFailure extends DnsClientError {
  readonly server: DnsServer
  readonly reason: FailureReason

  /** @param detail what happened, as the end of a sentence that begins with the server's address */
  constructor(server: DnsServer, reason: FailureReason, detail: string, cause?: unknown) {
    super(`${serverToText(server)} ${detail}`, { cause })
    this.name = 'ServerFailure'
    this.server = server
    this.reason = reason
  }
}

/** No server gave an answer. The message has the reason for each server. */
export class NoAnswer extends DnsClientError {
  /** One entry for each try, in order. */
  readonly failures: readonly ServerFailure[]

  constructor(failures: readonly ServerFailure[]) {
    super(`${[...new Set(failures.map(({ message }) => message))].join('; ')}.`)
    this.name = 'NoAnswer'
    this.failures = failures
  }

  /** The most informative reason: `bad-answer` before `timeout` before `unreachable`. */
  get reason(): FailureReason {
    const reasons = this.failures.map(({ reason }) => reason)
    if (reasons.includes('bad-answer')) return 'bad-answer'
    return reasons.includes('timeout') ? 'timeout' : 'unreachable'
  }
}
