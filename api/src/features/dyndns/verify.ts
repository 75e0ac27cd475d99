/*
 * Whose credentials are these, and what may they update?
 *
 * One batched read settles both: the names come with the caller, as they are now. A
 * password that was right a moment ago is remembered with the version of the account's
 * credentials; the read says which version the account has, and when it is another the
 * password is tried afresh. Keys and tokens are not remembered at all: the read finds them
 * by their digest, so one that was deleted is refused from that moment on.
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
 * The names that were asked for, in their order; undefined where the caller has no such
 * name. Without any: the only name that the credentials can update, or nothing.
 */
type Hosts = readonly (HostState | undefined)[]

export type Verification =
  | { readonly kind: 'account'; readonly userId: string; readonly hosts: Hosts }
  | {
      readonly kind: 'key'
      readonly userId: string
      readonly keyId: string
      readonly hosts: Hosts
      /** Undefined: it is for everything. Every name outside is undefined in `hosts`. */
      readonly scope?: KeyScope | undefined
      /** Whether a name was asked for that the account has, and that is outside. */
      readonly isNameOutside?: boolean
    }
  /** Good for one name; every other one is undefined in `hosts`. */
  | {
      readonly kind: 'token'
      readonly userId: string
      readonly tokenId: string
      readonly domainId: string
      readonly fqdn: string
      readonly hosts: Hosts
    }
  | { readonly kind: 'wrong' }
  /** A right password of an account with a second factor, which it would get around. */
  | { readonly kind: 'password-refused'; readonly hosts: Hosts }
  /** A key that has ended, or is not for updates or not for where they come from. */
  | { readonly kind: 'key-refused'; readonly fault: KeyFault; readonly hosts: Hosts }
  /** Right, of an account that is disabled. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

/** From where credentials came, and with what. */
export interface Source {
  readonly ip: string
  /** The User-Agent. */
  readonly client: string | null
  /** Collects tries of passwords that the owner of the account should see. */
  readonly notableTries?: NotableTry[]
}

const WRONG = { kind: 'wrong' } as const
const BLOCKED = { kind: 'blocked' } as const

/** Reads each name, or the only one (null). Most requests have one. */
async function readEach<Reading>(
  names: readonly string[],
  read: (name: string | null) => Promise<Reading>,
): Promise<readonly Reading[]> {
  const [first = null] = names
  return names.length < 2 ? [await read(first)] : await Promise.all(names.map(read))
}

/** The names asked for; of a caller who named none, the only one if there is one. */
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
   * Settles who calls, and reads the names that they ask for.
   *
   * @throws Error of PostgreSQL when it cannot be asked
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

  /** Undefined when the account is not what it was when the password was right. */
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
    // What was right before has the form of what can be right.
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

  /** Undefined: it is no key. */
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
    const { userId, keyId, limits } = key
    const hosts = hostsOf(names, readings)
    const fault = limits && this.#faultOf(limits, source)
    if (fault !== undefined) return { kind: 'key-refused', fault, hosts }
    this.#services.secretUses.note('api_key', digest, source)
    if (!limits?.scope) return { kind: 'key', userId, keyId, hosts }
    const { scope } = limits
    const [only, another] = scope.domains ?? []
    if (names.length === 0 && only !== undefined && another === undefined) {
      // It can update no other name, whatever else the account has.
      const reading = await this.#hosts.ofKey(digest, only)
      return { kind: 'key', userId, keyId, hosts: hostsOf([], [reading]), scope }
    }
    const held = hosts.map((host) => (host && scopeHolds(scope, host.fqdn) ? host : undefined))
    const isNamed = names.length > 0
    return {
      kind: 'key',
      userId,
      keyId,
      hosts: isNamed ? held : held.filter((host) => host),
      scope,
      isNameOutside:
        isNamed && hosts.some((host, n) => host !== undefined && held[n] === undefined),
    }
  }

  /** Why a key is refused whatever the name: it has ended, or is not for updates or not for where they come from. */
  #faultOf(limits: KeyLimits, { ip }: Source): KeyFault | undefined {
    const [fault] = faultsOf(limits, { action: 'update', ip, at: this.#services.now() })
    return fault
  }

  /** Undefined: it is no token. */
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
