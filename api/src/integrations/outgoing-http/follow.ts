/** Sends one request and follows its redirects; each hop takes the same steps. */
import { type AddressCheck, addressesOf } from './address-check.ts'
import type { CertificateFacts } from './certificate.ts'
import { openConnection } from './connection.ts'
import {
  exchange,
  type OutgoingRequest,
  type ResponseHead,
  type WholeResponse,
} from './exchange.ts'
import {
  type FailedHop,
  failureOfError,
  OutgoingFailure,
  timeLimitReached,
} from './outgoing-failure.ts'
import { type PhaseMs, PhaseTimer } from './phases.ts'
import type { Profile } from './profiles.ts'
import { locationOf, redirectedRequest } from './redirect.ts'
import { readTarget } from './target-url.ts'
import { within, withTimeLimit } from './time-limit.ts'
import type { ResolveAll } from '../outside-names.ts'

/** One hop of a redirect chain. */
export interface Hop extends ResponseHead {
  readonly url: string
  /** The address of the connection. */
  readonly address: string
  readonly phaseMs: PhaseMs
  /** Only for https. */
  readonly certificate?: CertificateFacts
}

/** The response of the last hop. */
export interface OutgoingResponse extends Hop {
  readonly body: Buffer
  /** Whether the response was longer than `body`. */
  readonly isCut: boolean
  /** All hops in order, this one last. */
  readonly hops: readonly Hop[]
  /** From the first look-up to the end of the body. */
  readonly totalMs: number
}

/** The rules for each hop of a request. */
export interface HopRules {
  readonly profile: Profile
  readonly silenceLimitMs: number
  readonly longBody: 'fail' | 'cut'
  readonly followsRedirects: boolean
  readonly acceptsAnyCertificate: boolean
  /** Host names that are refused. */
  readonly ownNames: readonly string[]
  readonly resolveAll: ResolveAll
  /** The address to connect to for the host of the first URL, which is then not looked up. */
  readonly connectTo?: string | undefined
  /** Called once per hop; returns the check for its addresses. */
  readonly addressCheck: () => Promise<AddressCheck>
  readonly trusted: readonly string[] | undefined
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
}

/**
 * Sends a request and follows its redirects.
 *
 * @throws OutgoingFailure and no other error
 */
export async function follow(
  url: string,
  request: Omit<OutgoingRequest, 'url'>,
  rules: HopRules,
): Promise<OutgoingResponse> {
  const { timeLimitMs } = rules.profile
  return withTimeLimit(timeLimitMs, (signal) => followWithin(signal, url, request, rules))
}

async function followWithin(
  signal: AbortSignal,
  url: string,
  request: Omit<OutgoingRequest, 'url'>,
  rules: HopRules,
): Promise<OutgoingResponse> {
  const { profile, now } = rules
  const begun = now()
  const hops: Hop[] = []
  const first = targetOf(url, undefined, rules)
  let next: OutgoingRequest = { ...request, url: first }
  for (;;) {
    const isSameHost = next.url.hostname === first.hostname
    const connectTo = isSameHost ? rules.connectTo : undefined
    const { body, isCut, ...hop } = await visit(next, signal, { ...rules, connectTo })
    hops.push(hop)
    const location = followedLocation(hop, rules)
    if (location === undefined) return { ...hop, body, isCut, hops, totalMs: now() - begun }
    if (hops.length > profile.redirectLimit) throw tooManyRedirects(hop.url)
    next = redirectedRequest(next, hop.status, targetOf(location, next.url, rules))
  }
}

function tooManyRedirects(url: string): OutgoingFailure {
  return new OutgoingFailure('too-many-redirects', 'The URL redirects too many times.').at({ url })
}

const followedLocation = (head: ResponseHead, { followsRedirects }: HopRules) =>
  followsRedirects ? locationOf(head) : undefined

/** The URL of a hop, resolved against the URL of the previous hop. @throws OutgoingFailure */
function targetOf(text: string, base: URL | undefined, { profile, ownNames }: HopRules): URL {
  const absolute = base === undefined ? text : (URL.parse(text, base.href)?.href ?? text)
  try {
    return readTarget(absolute, profile, ownNames)
  } catch (error) {
    throw failureOfError(error).at({ url: absolute })
  }
}

/** Resolve, check, connect, send, read. @throws OutgoingFailure */
async function visit(
  request: OutgoingRequest,
  signal: AbortSignal,
  rules: HopRules,
): Promise<Omit<Hop, 'body'> & WholeResponse> {
  const timer = new PhaseTimer(rules.now)
  const hop: { -readonly [Key in keyof FailedHop]: FailedHop[Key] } = { url: request.url.href }
  try {
    const address = await timer.run('lookup', () => within(signal, addressOf(request.url, rules)))
    const connection = await openConnection(request.url, address, {
      ...rules,
      timer,
      signal,
      onCertificate: (certificate) => (hop.certificate = certificate),
    })
    const response = await exchange(connection, request, {
      ...rules,
      timer,
      signal,
      bodyLimitBytes: rules.profile.bodyLimitBytes,
      readsBody: (head) => followedLocation(head, rules) === undefined,
    })
    const { certificate } = connection
    return {
      ...response,
      url: request.url.href,
      address,
      phaseMs: timer.phaseMs,
      ...(certificate === undefined ? {} : { certificate }),
    }
  } catch (error) {
    const isLate = signal.aborted && !(error instanceof OutgoingFailure)
    const failure = isLate
      ? timeLimitReached(timer.phase, rules.profile.timeLimitMs)
      : failureOfError(error)
    throw failure.at({ ...hop, phaseMs: timer.phaseMs })
  }
}

/**
 * The address to connect to: the first one, if every address passes the check, so that the order of the DNS answer does
 * not matter.
 */
async function addressOf(
  url: URL,
  { connectTo, resolveAll, addressCheck }: HopRules,
): Promise<string> {
  const [addresses, check] = await Promise.all([
    connectTo === undefined ? addressesOf(url.hostname, resolveAll) : ([connectTo] as const),
    addressCheck(),
  ])
  for (const address of addresses) check(address)
  return addresses[0]
}
