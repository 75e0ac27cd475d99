/* Asking name servers: their order, tries, time limits and transports. */
import { type DnsAnswer, isTruncated, matchOf, readAnswer, refusesEdns } from './answer.ts'
import { InvalidQuestion } from './errors.ts'
import { exchangeOverTcp, exchangeOverUdp } from './exchange.ts'
import { NoAnswer, ServerFailure } from './no-answer.ts'
import { type DnsQuestion, makeQuery, type Query, type QueryOptions } from './question.ts'
import type { DnsServer } from './server.ts'

export interface AskOptions extends QueryOptions {
  /** `udp`, the default, continues over TCP when the answer needs it. */
  readonly transport?: 'udp' | 'tcp'
  /** How long one message to one server may take, in milliseconds; 2,000 by default. */
  readonly attemptMs?: number
  /** How often each server is asked when no server answers; 2 by default. */
  readonly tries?: number
  /** Aborts the whole call. */
  readonly signal?: AbortSignal
}

const ATTEMPT_MS = 2_000
const TRIES = 2
// Another server may be able to answer.
const UNWILLING: ReadonlySet<string> = new Set(['SERVFAIL', 'NOTIMP', 'REFUSED'])

/**
 * Asks servers one after the other until one answers. After SERVFAIL, NOTIMP or REFUSED the next server is asked; when
 * all servers answer like that, the first such answer is returned.
 *
 * Over UDP an answer counts only when it repeats the ID and the question. The question is repeated over TCP when the answer
 * is truncated, or when the server changed the letter case of the name. A server that refuses an OPT record is asked
 * again without one.
 *
 * @throws InvalidQuestion; NoAnswer when no server gave an answer; the reason of `signal`
 */
export async function ask(
  question: DnsQuestion,
  servers: readonly DnsServer[],
  options: AskOptions = {},
): Promise<DnsAnswer> {
  if (servers.length === 0) throw new InvalidQuestion('No name server was given.')
  const failures: ServerFailure[] = []
  for (let tries = options.tries ?? TRIES; tries > 0; tries--) {
    let unwilling: DnsAnswer | undefined
    for (const server of servers) {
      try {
        const answer = await askServer(question, server, options)
        if (!UNWILLING.has(answer.rcode)) return answer
        unwilling ??= answer
      } catch (error) {
        if (!(error instanceof ServerFailure)) throw error
        failures.push(error)
      }
    }
    if (unwilling !== undefined) return unwilling
  }
  throw new NoAnswer(failures)
}

async function askServer(
  question: DnsQuestion,
  server: DnsServer,
  options: AskOptions,
): Promise<DnsAnswer> {
  const query = makeQuery(question, options)
  const message = await answerTo(query, server, options)
  if ((options.edns ?? true) && refusesEdns(message.octets)) {
    return askServer(question, server, { ...options, edns: false })
  }
  try {
    return readAnswer(message.octets, { server, transport: message.transport })
  } catch (error) {
    throw new ServerFailure(server, 'bad-answer', 'sent an answer that cannot be decoded', error)
  }
}

interface AnswerMessage {
  readonly octets: Buffer
  readonly transport: 'udp' | 'tcp'
}

async function answerTo(
  query: Query,
  server: DnsServer,
  options: AskOptions,
): Promise<AnswerMessage> {
  if (options.transport !== 'tcp') {
    const isAccepted = (answer: Buffer) => matchOf(answer, query) !== 'none'
    const octets = await attempt(server, options, (signal) =>
      exchangeOverUdp(server, query.octets, isAccepted, signal),
    )
    const isWhole = matchOf(octets, query) === 'exact' && !isTruncated(octets)
    if (isWhole) return { octets, transport: 'udp' }
  }
  const octets = await attempt(server, options, (signal) =>
    exchangeOverTcp(server, query.octets, signal),
  )
  // Only the server itself can answer over a connection, so the letter case does not matter.
  if (matchOf(octets, query) === 'none') {
    throw new ServerFailure(server, 'bad-answer', 'answered another question')
  }
  return { octets, transport: 'tcp' }
}

/** @throws ServerFailure; the reason of the caller's own signal */
async function attempt(
  server: DnsServer,
  { attemptMs = ATTEMPT_MS, signal }: AskOptions,
  exchange: (signal: AbortSignal) => Promise<Buffer>,
): Promise<Buffer> {
  const timeout = AbortSignal.timeout(attemptMs)
  try {
    return await exchange(signal === undefined ? timeout : AbortSignal.any([signal, timeout]))
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.aborted) {
      const seconds = attemptMs / 1000
      throw new ServerFailure(server, 'timeout', `did not answer within ${seconds} s`, error)
    }
    const message = error instanceof Error ? error.message : String(error)
    throw new ServerFailure(server, 'unreachable', `cannot be reached: ${message}`, error)
  }
}
