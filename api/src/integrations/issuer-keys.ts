/**
 * The public keys of issuers of tokens (OpenID Connect Discovery 1.0 §4, RFC 7517), fetched when they are needed and
 * remembered for a while. A token that names an unknown key makes them be fetched afresh, though not more often than
 * every half minute: whoever sends invented tokens must not make this service a hammer.
 */
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose'
import { FetchRefused, type GuardedFetch } from './guarded-fetch.ts'

const KEPT_MS = 600_000
const AGAIN_MS = 30_000
const ISSUERS_LIMIT = 500
const KEYS_LIMIT = 100

type KeySet = ReturnType<typeof createLocalJWKSet>

/** The keys of an issuer could not be read, and why. */
export class IssuerUnreadable extends Error {
  override name = 'IssuerUnreadable'
}

interface Kept {
  readonly at: number
  readonly keys: Promise<KeySet>
}

/** A JSON object. @throws IssuerUnreadable */
async function readObject(fetch: GuardedFetch, url: string): Promise<Record<string, unknown>> {
  try {
    const { status, text } = await fetch(url)
    if (status !== 200) throw new IssuerUnreadable(`${url} answered ${status}.`)
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (error) {
    if (error instanceof IssuerUnreadable) throw error
    if (error instanceof FetchRefused) throw new IssuerUnreadable(`${url}: ${error.message}`)
  }
  throw new IssuerUnreadable(`${url} answered no JSON object.`)
}

async function fetchKeys(fetch: GuardedFetch, issuer: string): Promise<KeySet> {
  const found = await readObject(
    fetch,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  // Discovery §4.3: what is found has to be of the issuer that was asked.
  if (found['issuer'] !== issuer) throw new IssuerUnreadable(`${issuer} calls itself otherwise.`)
  const { jwks_uri: uri } = found
  if (typeof uri !== 'string') throw new IssuerUnreadable(`${issuer} names no keys.`)
  const { keys } = await readObject(fetch, uri)
  if (!Array.isArray(keys) || keys.length > KEYS_LIMIT) {
    throw new IssuerUnreadable(`${uri} holds no set of keys, or too many.`)
  }
  try {
    return createLocalJWKSet({ keys })
  } catch {
    throw new IssuerUnreadable(`${uri} holds no set of keys.`)
  }
}

export class IssuerKeys {
  readonly #fetch: GuardedFetch
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()

  /** @param now a clock that never goes back, in milliseconds */
  constructor(fetch: GuardedFetch, now: () => number = () => performance.now()) {
    this.#fetch = fetch
    this.#now = now
  }

  /** Finds the key of a token, as `jwtVerify` asks for it. */
  of(issuer: string) {
    return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
      const keys = await this.#keys(issuer, KEPT_MS)
      try {
        return await keys(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return (await this.#keys(issuer, AGAIN_MS))(header, token)
      }
    }
  }

  /** What cannot be read is remembered as well, for a shorter while. @throws IssuerUnreadable */
  async #keys(issuer: string, keptMs: number): Promise<KeySet> {
    const kept = this.#kept.get(issuer)
    if (kept !== undefined && this.#now() - kept.at < keptMs) {
      try {
        return await kept.keys
      } catch (error) {
        if (this.#now() - kept.at < AGAIN_MS) throw error
      }
    }
    const keys = fetchKeys(this.#fetch, issuer)
    this.#kept.delete(issuer)
    this.#kept.set(issuer, { at: this.#now(), keys })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > ISSUERS_LIMIT && oldest !== undefined) this.#kept.delete(oldest)
    return keys
  }
}
