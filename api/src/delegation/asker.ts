/** The only place of a walk that sends anything. It bounds the walk: queries, time, and addresses. */
import { ask as askServers, type DnsAnswer, NoAnswer } from '@homing/dnsd/client'

/** Why there is no answer, as the end of a sentence that begins with the server. */
export interface NoReply {
  readonly failed:
    /** Silence, or something that is not DNS. */
    | 'no-answer'
    /** This machine has no route there, such as a machine without IPv6. */
    | 'no-route'
    /** The address must not be asked. */
    | 'not-allowed'
    /** The walk has sent as many queries as it may, or has taken as long. */
    | 'ended'
  readonly words: string
}

export type Reply = DnsAnswer | NoReply

export const isReply = (reply: Reply): reply is DnsAnswer => !('failed' in reply)

export interface AskerOptions {
  /** Aborts the walk at the end of its time. */
  readonly signal: AbortSignal
  /** Why an address must not be asked, as the end of a sentence that begins with the address; undefined when it may. */
  readonly objectionTo: (address: string) => string | undefined
  /** The port at which the server at an address is asked. */
  readonly portOf: (address: string) => number
  readonly ask?: typeof askServers
  readonly queryLimit?: number
}

export interface QueryOptions {
  readonly transport?: 'udp' | 'tcp'
  readonly tries?: number
  readonly attemptMs?: number
}

/** About 60 for a parent zone with 13 name servers that have two addresses each. */
const QUERY_LIMIT = 250
/** Half of the root servers' clients are answered in 30 ms, and nearly all servers in the world in 400 ms. */
const ATTEMPT_MS = 800
const NO_ROUTE: ReadonlySet<unknown> = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
])

export class Asker {
  readonly #options: AskerOptions
  #queriesLeft: number
  #hasIpv6 = false

  constructor(options: AskerOptions) {
    this.#options = options
    this.#queriesLeft = options.queryLimit ?? QUERY_LIMIT
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  /**
   * Whether a server has answered over IPv6. If none has, this machine has perhaps no IPv6, even where the system knows a
   * route: silence then says nothing about a server.
   */
  get hasIpv6(): boolean {
    return this.#hasIpv6
  }

  /** Asks one server without recursion, over UDP and when needed over TCP. Never throws for what a server does. */
  async query(
    question: { readonly name: string; readonly type: string },
    address: string,
    { transport = 'udp', tries = 1, attemptMs = ATTEMPT_MS }: QueryOptions = {},
  ): Promise<Reply> {
    const { signal, objectionTo, portOf, ask = askServers } = this.#options
    const objection = objectionTo(address)
    if (objection !== undefined) return { failed: 'not-allowed', words: objection }
    if (signal.aborted) return { failed: 'ended', words: 'was not asked in time' }
    if (this.#queriesLeft <= 0) {
      return {
        failed: 'ended',
        words: 'was not asked, because the check has sent too many queries',
      }
    }
    this.#queriesLeft -= 1
    try {
      const name = question.name === '' ? '.' : question.name
      const server = { address, port: portOf(address) }
      const options = { recursionDesired: false, transport, tries, attemptMs, signal }
      const answer = await ask({ name, type: question.type }, [server], options)
      if (address.includes(':')) this.#hasIpv6 = true
      return answer
    } catch (error) {
      return replyOf(error, signal)
    }
  }
}

/** @throws an error that is not the server's doing */
function replyOf(error: unknown, signal: AbortSignal): NoReply {
  if (signal.aborted) return { failed: 'no-answer', words: 'did not answer in time' }
  if (!(error instanceof NoAnswer)) throw error
  const causes = error.failures.map(({ cause }) => (cause as { code?: unknown } | undefined)?.code)
  if (causes.length > 0 && causes.every((code) => NO_ROUTE.has(code))) {
    return { failed: 'no-route', words: 'cannot be reached from here' }
  }
  const words = {
    timeout: 'did not answer in time',
    unreachable: 'refuses connections',
    'bad-answer': 'sent an answer that cannot be read',
  }
  return { failed: 'no-answer', words: words[error.reason] }
}
