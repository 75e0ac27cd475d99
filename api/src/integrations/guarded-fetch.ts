/**
 * The one client for places that somebody else named: a URL of a user must not reach what only this machine can reach.
 *
 * The name is resolved once, over the network, every address of the answer has to be public, and the connection goes to the first of these
 * and nowhere else: a name that answers otherwise a moment later changes nothing. TLS still checks the certificate against
 * the name. Redirects go through the same door, three at most; time and size are limited; nothing is kept open.
 */
import { ipv6FromText } from '@homing/dnsd/names'
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { parseAddress } from '../domain/addresses.ts'
import { namesAsSystem, namesOutside, type ResolveAll } from './outside-names.ts'

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
  /** The ports that are taken. */
  readonly ports?: readonly number[]
  /** Names that are not asked, whatever they lead to: the service's own. */
  readonly ownHosts?: readonly string[]
  /** For all of it, redirects too. */
  readonly timeLimitMs?: number
  /** Every address of a name. */
  readonly resolveAll?: ResolveAll
  /** Throws FetchRefused for an address that is not to be connected to; of each hop, every one of its name is asked about. */
  readonly checkAddress?: (address: string) => void
}

export interface Fetched {
  readonly status: number
  readonly text: string
}

/** Fetches a URL. @throws FetchRefused */
export type GuardedFetch = (url: string) => Promise<Fetched>

const HTTPS_PORT = 443

/** A host's name as one text, however it is written. */
const plainName = (hostname: string) => hostname.toLowerCase().replace(/\.$/, '')

/** The URL of a target, if it may be one at all. @throws FetchRefused */
function readTarget(text: string, options: GuardedFetchOptions): URL {
  const { allowsPrivate, ports = [HTTPS_PORT], ownHosts = [] } = options
  const url = URL.parse(text)
  if (url === null) throw new FetchRefused('It is no URL.')
  if (url.username !== '' || url.password !== '')
    throw new FetchRefused('The URL holds a password.')
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) {
    throw new FetchRefused('The URL does not begin with https://.')
  }
  if (allowsPrivate) return url
  const port = url.port === '' ? HTTPS_PORT : Number(url.port)
  if (!ports.includes(port)) throw new FetchRefused('The URL names a port.')
  if (ownHosts.some((own) => plainName(own) === plainName(url.hostname))) {
    throw new FetchRefused('It leads to this service itself.')
  }
  return url
}

/** RFC 5214 §6.1: an interface identifier `[02]00:5efe` is followed by the IPv4 address that it stands for. */
function isIsatap(address: string): boolean {
  if (!address.includes(':')) return false
  const octets = ipv6FromText(address)
  return ((octets[8] ?? 0) & 0xfd) === 0 && octets.subarray(9, 12).equals(ISATAP)
}
const ISATAP = Buffer.from([0x00, 0x5e, 0xfe])

/** @throws FetchRefused for an address that is not one of the public Internet */
function requirePublic(address: string): void {
  try {
    parseAddress(address, 'public', 'url')
    if (!isIsatap(address)) return
  } catch {
    // Told below.
  }
  // Not which: names that mean something inside alone would be looked up from outside.
  throw new FetchRefused('It leads to an address that is not public.')
}

/** What comes first: the answer, or the end of the time. */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  return Promise.race([work, promise])
}

/** The one address that is connected to. @throws FetchRefused when any address of the name is not public */
async function pinnedAddress({ hostname }: URL, options: GuardedFetchOptions): Promise<string> {
  const { allowsPrivate } = options
  const resolveAll = options.resolveAll ?? (allowsPrivate ? namesAsSystem : namesOutside())
  const checkAddress = options.checkAddress ?? (allowsPrivate ? () => undefined : requirePublic)
  // Numbers in other forms (`127.1`, `0x7f.1`) are four decimal parts by now: URLs are read so (WHATWG URL, IPv4 parser).
  const literal = /^\[(.*)\]$/.exec(hostname)?.[1] ?? (isIP(hostname) === 0 ? undefined : hostname)
  const addresses =
    literal === undefined ? await resolveAll(hostname).catch(() => []) : [{ address: literal }]
  const [first] = addresses
  if (first === undefined) throw new FetchRefused(`${hostname} has no address.`)
  for (const { address } of addresses) checkAddress(address)
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
  let url = readTarget(text, options)
  for (let hop = 0; hop <= REDIRECTS_LIMIT; hop += 1) {
    const address = await within(signal, pinnedAddress(url, options))
    const { location, ...answer } = await ask(url, address, signal)
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
    if (!isRedirect) return answer
    url = readTarget(URL.parse(location, url.href)?.href ?? '', options)
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
