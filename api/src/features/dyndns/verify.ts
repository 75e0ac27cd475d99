/*
 * Verifies credentials, and finds the domains that they may update.
 *
 * One batched read does both: the current domains are read with the caller. A password that was
 * right recently is remembered with the version of the account's credentials; if the read shows
 * another version, the password is evaluated afresh. Keys and tokens are not cached: the read finds
 * them by their digest, so a deleted one is refused at once.
 */
import {
  authenticatePassword,
  type NotableTry,
  type PasswordClaim,
  type PasswordOptions,
} from '../../credentials/password.ts'
import {
  faultsOf,
  type KeyFault,
  type KeyLimits,
  type KeyScope,
  scopeHolds,
} from '../../rules/key-scope.ts'
import { digestOf, hasSecretForm, secretKindOf } from '../../rules/secrets.ts'
import type { Services } from '../../compose.ts'
import type { Credentials } from '../../update-protocol/authorization.ts'
import type { HostReader, HostState, KeyReading } from './host-reader.ts'

/**
 * The requested domains in order; undefined where the caller has no such domain. If no name was
 * requested: the only domain that the credentials can update, or an empty list.
 */
type Hosts = readonly (HostState | undefined)[]

export type Verification =
  | { readonly kind: 'account'; readonly userId: string; readonly hosts: Hosts }
  | {
      readonly kind: 'key'
      readonly userId: string
      readonly keyId: string
      /** The trust policy for which the key was issued; null for keys that users create. */
      readonly policyId: string | null
      readonly hosts: Hosts
      /** Undefined for an unrestricted key. Every domain outside the scope is undefined in `hosts`. */
      readonly scope?: KeyScope | undefined
      /** Whether a requested domain belongs to the account, but is outside the scope. */
      readonly isNameOutside?: boolean
    }
  /** Valid for one domain; every other one is undefined in `hosts`. */
  | {
      readonly kind: 'token'
      readonly userId: string
      readonly tokenId: string
      readonly domainId: string
      readonly fqdn: string
      readonly hosts: Hosts
    }
  | { readonly kind: 'wrong' }
  /** A right password of an account with a second factor, which the password would bypass. */
  | { readonly kind: 'password-refused'; readonly hosts: Hosts }
  /** A key that has ended, is not for updates, or may not be used from this address. */
  | { readonly kind: 'key-refused'; readonly fault: KeyFault; readonly hosts: Hosts }
  /** Valid credentials of a disabled account. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

/** The origin of the credentials. */
export interface Source {
  readonly ip: string
  /** The User-Agent. */
  readonly client: string | null
  /** Collects password attempts that the owner of the account should see. */
  readonly notableTries?: NotableTry[]
}

const WRONG = { kind: 'wrong' } as const
const BLOCKED = { kind: 'blocked' } as const

/** Reads each name, or the only domain (null). Most requests have one name. */
async function readEach<Reading>(
  names: readonly string[],
  read: (name: string | null) => Promise<Reading>,
): Promise<readonly Reading[]> {
  const [first = null] = names
  return names.length < 2 ? [await read(first)] : await Promise.all(names.map(read))
}

/** The requested domains; without a name, the only domain of the caller, if there is one. */
function hostsOf(
  names: readonly string[],
  readings: readonly ({ readonly host: HostState | undefined } | undefined)[],
): Hosts {
  const hosts = readings.map((reading) => reading?.host)
  return names.length === 0 ? hosts.filter((host) => host !== undefined) : hosts
}

export class Verifier {
  readonly #services: Services
  readonly #hosts: HostReader

  constructor(services: Services, hosts: HostReader) {
    this.#services = services
    this.#hosts = hosts
  }

  /**
   * Authenticates the caller, and reads the requested domains.
   *
   * @throws Error of PostgreSQL when it is unavailable
   */
  async verify(
    credentials: Credentials,
    names: readonly string[],
    source: Source,
  ): Promise<Verification> {
    if (credentials.kind === 'secret') return await this.#secret(credentials.secret, names, source)
    const onNotable = (each: NotableTry) => void source.notableTries?.push(each)
    const claim = { ...credentials, ip: source.ip }
    const options = { isMachine: true, onNotable }
    const verdict = await this.#password(claim, names, options)
    return verdict ?? (await this.#password(claim, names, { ...options, afresh: true })) ?? WRONG
  }

  /** Undefined when the account's credentials have changed since the password was right. */
  async #password(
    claim: PasswordClaim,
    names: readonly string[],
    options: PasswordOptions,
  ): Promise<Verification | undefined> {
    const verdict = await authenticatePassword(this.#services, claim, options)
    if (verdict.kind === 'wrong') return WRONG
    if (verdict.kind === 'throttled') return verdict
    const { userId, credentialVersion } = verdict
    const readings = await readEach(names, (name) => this.#hosts.ofAccount(userId, name))
    const [account] = readings
    if (account?.credentialVersion !== credentialVersion) return undefined
    if (account.isBlocked) return BLOCKED
    const hosts = hostsOf(names, readings)
    if (account.hasSecondFactor) return { kind: 'password-refused', hosts }
    return { kind: 'account', userId, hosts }
  }

  async #secret(secret: string, names: readonly string[], source: Source): Promise<Verification> {
    const { invalidSecrets } = this.#services
    const digest = digestOf(secret)
    const check = invalidSecrets.check(digest, source.ip)
    const isKnown = check.kind === 'known'
    // A secret that was valid before needs no check of its form.
    if (check.kind === 'unknown' || !(isKnown || hasSecretForm(secret))) return WRONG
    if (check.kind === 'wait') {
      return { kind: 'throttled', retryAfterSeconds: check.retryAfterSeconds }
    }
    const verdict =
      secretKindOf(secret) === 'api_key'
        ? await this.#key(digest, names, source)
        : await this.#token(digest, names, source)
    if (verdict === undefined) invalidSecrets.wrong(digest, source.ip)
    else if (!isKnown) invalidSecrets.right(digest)
    return verdict ?? WRONG
  }

  /** Undefined when the key does not exist. */
  async #key(
    digest: string,
    names: readonly string[],
    source: Source,
  ): Promise<Verification | undefined> {
    const readings = await readEach(names, (name) => this.#hosts.ofKey(digest, name))
    const [key]: readonly (KeyReading | undefined)[] = readings
    if (key === undefined) return undefined
    if (key.isBlocked) return BLOCKED
    if (!key.isInPlan) return WRONG
    const { userId, keyId, policyId, limits } = key
    const hosts = hostsOf(names, readings)
    const fault = limits && this.#faultOf(limits, source)
    if (fault !== undefined) return { kind: 'key-refused', fault, hosts }
    this.#services.secretUses.note('api_key', digest, source)
    if (!limits?.scope) return { kind: 'key', userId, keyId, policyId, hosts }
    const { scope } = limits
    const [only, another] = scope.domains ?? []
    if (names.length === 0 && only !== undefined && another === undefined) {
      // The key can update no other domain, whatever the account has.
      const reading = await this.#hosts.ofKey(digest, only)
      return { kind: 'key', userId, keyId, policyId, hosts: hostsOf([], [reading]), scope }
    }
    const held = hosts.map((host) => (host && scopeHolds(scope, host.fqdn) ? host : undefined))
    const isNamed = names.length > 0
    return {
      kind: 'key',
      userId,
      keyId,
      policyId,
      hosts: isNamed ? held : held.filter((host) => host),
      scope,
      isNameOutside:
        isNamed && hosts.some((host, n) => host !== undefined && held[n] === undefined),
    }
  }

  /** Why a key is refused for every domain: it has ended, is not for updates, or may not be used from this address. */
  #faultOf(limits: KeyLimits, { ip }: Source): KeyFault | undefined {
    const [fault] = faultsOf(limits, { action: 'update', ip, at: this.#services.now() })
    return fault
  }

  /** Undefined when the token does not exist. */
  async #token(
    digest: string,
    names: readonly string[],
    source: Source,
  ): Promise<Verification | undefined> {
    const token = await this.#hosts.ofToken(digest)
    if (token === undefined) return undefined
    if (token.isBlocked) return BLOCKED
    const { userId, tokenId, host } = token
    const { domainId, fqdn } = host
    this.#services.secretUses.note('update_token', digest, source)
    const hosts =
      names.length === 0 ? [host] : names.map((name) => (name === fqdn ? host : undefined))
    return { kind: 'token', userId, tokenId, domainId, fqdn, hosts }
  }
}
