/**
 * The public keys of issuers of tokens (OpenID Connect Discovery 1.0 §4, RFC 7517), fetched when they are needed and
 * cached. A token with an unknown key fetches them again, but at most every half minute: invented tokens must not
 * make this service flood an issuer.
 */
import type { createLocalJWKSet, FlattenedJWSInput, JWSHeaderParameters } from 'jose'
import { OutgoingFailure } from './outgoing-http/outgoing-failure.ts'
import { BoundedMap } from '../limits/bounded-map.ts'

const KEPT_MS = 600_000
const AGAIN_MS = 30_000
/**
 * Used while the issuer is unavailable: a short outage must not stop pipelines, and a key that the issuer withdrew must
 * expire soon.
 */
const GOOD_MS = 900_000
const ISSUERS_LIMIT = 500
const KEYS_LIMIT = 100

/** Reads a URL of an issuer. @throws OutgoingFailure */
export type ReadIssuer = (
  url: string,
) => Promise<{ readonly status: number; readonly body: Buffer }>

type KeySet = ReturnType<typeof createLocalJWKSet>

/** The keys of an issuer could not be read, and why. */
export class IssuerUnreadable extends Error {
  override name = 'IssuerUnreadable'
}

/** The state of an issuer. Times are from a monotonic clock. */
interface Known {
  /** The time of the last request, finished or in progress. */
  askedAt: number
  /** The keys of the last successful request. */
  keys?: { readonly set: KeySet; readonly readAt: number }
  /** Why the last request failed; undefined when it succeeded. */
  failure?: Error
  underWay?: Promise<KeySet>
}

/** A JSON object. @throws IssuerUnreadable */
async function readObject(read: ReadIssuer, url: string): Promise<Record<string, unknown>> {
  try {
    const { status, body } = await read(url)
    if (status !== 200) throw new IssuerUnreadable(`${url} returned status ${status}.`)
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    if (error instanceof IssuerUnreadable) throw error
    if (error instanceof OutgoingFailure) throw new IssuerUnreadable(`${url}: ${error.message}`)
  }
  throw new IssuerUnreadable(`${url} did not return a JSON object.`)
}

async function fetchKeys(read: ReadIssuer, issuer: string): Promise<KeySet> {
  const found = await readObject(
    read,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  // Discovery §4.3: the document must name the requested issuer.
  if (found['issuer'] !== issuer)
    throw new IssuerUnreadable(`${issuer} publishes another issuer name in its configuration.`)
  const { jwks_uri: uri } = found
  if (typeof uri !== 'string') throw new IssuerUnreadable(`${issuer} does not publish a jwks_uri.`)
  const { keys } = await readObject(read, uri)
  if (!Array.isArray(keys) || keys.length > KEYS_LIMIT) {
    throw new IssuerUnreadable(
      `${uri} does not contain a valid key set, or contains more than ${KEYS_LIMIT} keys.`,
    )
  }
  const jose = await import('jose')
  try {
    return jose.createLocalJWKSet({ keys })
  } catch {
    throw new IssuerUnreadable(`${uri} does not contain a valid key set.`)
  }
}

export class IssuerKeys {
  readonly #read: ReadIssuer
  readonly #now: () => number
  readonly #known = new BoundedMap<string, Known>(ISSUERS_LIMIT)

  /** @param now a monotonic clock, in milliseconds */
  constructor(read: ReadIssuer, now: () => number = () => performance.now()) {
    this.#read = read
    this.#now = now
  }

  /** Finds the key of a token, in the form that `jwtVerify` requires. */
  of(issuer: string) {
    return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
      const keys = await this.#keys(issuer, KEPT_MS)
      try {
        return await keys(header, token)
      } catch (error) {
        const { errors } = await import('jose')
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return (await this.#keys(issuer, AGAIN_MS))(header, token)
      }
    }
  }

  /**
   * The keys of an issuer, no older than required if the issuer is available. Concurrent callers share one request, and
   * there is at most one request in half a minute. A failure is cached too, but does not invalidate keys that were read
   * before.
   *
   * @throws IssuerUnreadable
   */
  async #keys(issuer: string, keptMs: number): Promise<KeySet> {
    const known = this.#known.get(issuer) ?? { askedAt: -Infinity }
    const { keys, underWay, askedAt } = known
    if (keys !== undefined && this.#now() - keys.readAt < keptMs) return keys.set
    if (underWay !== undefined) return underWay
    if (this.#now() - askedAt < AGAIN_MS) return this.#former(known)
    known.askedAt = this.#now()
    known.underWay = this.#ask(issuer, known).finally(() => delete known.underWay)
    this.#known.set(issuer, known)
    return known.underWay
  }

  async #ask(issuer: string, known: Known): Promise<KeySet> {
    try {
      const set = await fetchKeys(this.#read, issuer)
      known.keys = { set, readAt: this.#now() }
      delete known.failure
      return set
    } catch (error) {
      known.failure = error instanceof Error ? error : new IssuerUnreadable(issuer)
      return this.#former(known)
    }
  }

  /**
   * The keys that were read before, while they are valid. @throws IssuerUnreadable with the reason of the last failure
   */
  #former({ keys, failure }: Known): KeySet {
    if (keys !== undefined && this.#now() - keys.readAt < GOOD_MS) return keys.set
    throw failure ?? new Error('an issuer that was asked has keys, or a failure')
  }
}
