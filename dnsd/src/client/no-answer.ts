import { DnsClientError } from './errors.ts'
import { type DnsServer, serverToText } from './server.ts'

/**
 * Why one try to ask a server gave no answer: nothing came in time, the network or the server's machine said that
 * nothing listens there, or what came is not an answer to the question.
 */
export type FailureReason = 'timeout' | 'unreachable' | 'bad-answer'

/** A try that gave no answer. */
export class ServerFailure extends DnsClientError {
  readonly server: DnsServer
  readonly reason: FailureReason

  /** @param detail what happened, to be read behind the server's address */
  constructor(server: DnsServer, reason: FailureReason, detail: string, cause?: unknown) {
    super(`${serverToText(server)} ${detail}`, { cause })
    this.name = 'ServerFailure'
    this.server = server
    this.reason = reason
  }
}

/** No server gave an answer. The message says of each what happened. */
export class NoAnswer extends DnsClientError {
  /** In the order in which they happened, one for each try. */
  readonly failures: readonly ServerFailure[]

  constructor(failures: readonly ServerFailure[]) {
    super(`${[...new Set(failures.map(({ message }) => message))].join('; ')}.`)
    this.name = 'NoAnswer'
    this.failures = failures
  }

  /** Why: a server that listens and is silent, or says something wrong, counts before one that cannot be reached. */
  get reason(): FailureReason {
    const reasons = this.failures.map(({ reason }) => reason)
    if (reasons.includes('bad-answer')) return 'bad-answer'
    return reasons.includes('timeout') ? 'timeout' : 'unreachable'
  }
}
