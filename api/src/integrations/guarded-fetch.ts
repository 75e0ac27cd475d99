/**
 * The one client for places that somebody else named: a URL of a user must not reach what only this machine can reach.
 *
 * The name is resolved once, every address of the answer has to be public, and the connection goes to the first of these
 * and nowhere else: a name that answers otherwise a moment later changes nothing. TLS still checks the certificate against
 * the name. Redirects go through the same door, three at most; time and size are limited; nothing is kept open.
 */
import { lookup as resolve } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { parseAddress } from '../domain/addresses.ts'

const TIME_LIMIT_MS = 5_000
const SIZE_LIMIT_BYTES = 256 * 1024
const REDIRECTS_LIMIT = 3

/** Nothing was fetched, and why. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
}

export interface GuardedFetchOptions {
  /** Whether private addresses, any port and plain HTTP are taken: never in production. */
  readonly allowsPrivate: boolean
  /** For all of it, redirects too. */
  readonly timeLimitMs?: number
  /** Every address of a name. */
  readonly resolveAll?: (hostname: string) => Promise<readonly { readonly address: string }[]>
}

export interface Fetched {
  readonly status: number
  readonly text: string
}

/** Fetches a URL. @throws FetchRefused */
export type GuardedFetch = (url: string) => Promise<Fetched>

/** The URL of a target, if it may be one at all. @throws FetchRefused */
function readTarget(text: string, allowsPrivate: boolean): URL {
  const url = URL.parse(text)
  if (url === null) throw new FetchRefused('It is no URL.')
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('The URL holds a password.')
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) {
    throw new FetchRefused('The URL does not begin with https://.')
  }
  if (url.port !== '' && !allowsPrivate) throw new FetchRefused('The URL names a port.')
  return url
}

/** @throws FetchRefused for an address that is not one of the public Internet */
function requirePublic(address: string): void {
  try {
    parseAddress(address, 'public', 'url')
  } catch {
    throw new FetchRefused(`It leads to ${address}, which is not a public address.`)
  }
}

/** What comes first: the answer, or the end of the time. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return Promise.race([work, promise])
}

/** The one address that is connected to. @throws FetchRefused when any address of the name is not public */
async function pinnedAddress(
  { hostname }: URL,
  { allowsPrivate, resolveAll = (name) => resolve(name, { all: true }) }: GuardedFetchOptions,
): Promise<string> {
  const literal = /^\[(.*)\]$/.exec(hostname)?.[1]
  const addresses =
    literal === undefined ? await resolveAll(hostname).catch(() => []) : [{ address: literal }]
  const [first] = addresses
  if (first === undefined) throw new FetchRefused(`${hostname} has no address.`)
  if (!allowsPrivate) for (const { address } of addresses) requirePublic(address)
  return first.address
}

interface Answer extends Fetched {
  readonly location: string | undefined
}

async function ask(url: URL, address: string, signal: AbortSignal): Promise<Answer> {
  const client = url.protocol === 'https:' ? https : http
  const family = address.includes(':') ? 6 : 4
  return new Promise((done, fail) => {
    const request = client.request(url, {
      agent: false,
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'Homing',
        'accept-encoding': 'identity',
      },
      lookup: (_name, options, answer) =>
        options.all === true ? answer(null, [{ address, family }]) : answer(null, address, family),
    })
    request.on('error', fail)
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let size = 0
      response.on('error', fail)
      response.on('data', (part: Buffer) => {
        size += part.length
        if (size > SIZE_LIMIT_BYTES) response.destroy(new FetchRefused('The answer is too large.'))
        else parts.push(part)
      })
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString('utf8'),
          location: response.headers.location,
        }),
      )
    })
    request.end()
  })
}

/** @throws FetchRefused for all that goes wrong */
async function follow(text: string, options: GuardedFetchOptions): Promise<Fetched> {
  const signal = AbortSignal.timeout(options.timeLimitMs ?? TIME_LIMIT_MS)
  let url = readTarget(text, options.allowsPrivate)
  for (let hop = 0; hop <= REDIRECTS_LIMIT; hop += 1) {
    const address = await within(signal, pinnedAddress(url, options))
    const { location, ...answer } = await ask(url, address, signal)
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
    if (!isRedirect) return answer
    url = readTarget(URL.parse(location, url.href)?.href ?? '', options.allowsPrivate)
  }
  throw new FetchRefused('It redirects too often.')
}

export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  return async (url) => {
    try {
      return await follow(url, options)
    } catch (error) {
      if (error instanceof FetchRefused) throw error
      throw new FetchRefused('It cannot be reached.', { cause: error })
    }
  }
}
