/*
 * Reads callers and domains in batches.
 *
 * Each update request needs the current state of its caller's account and of the domains, from the
 * primary: nothing is cached between requests. A query per request would cost more than all its
 * other work, so requests that arrive together share one query. The kind of credential selects the
 * query: the account of a right password, the digest of an API key, or the digest of an update
 * token. Each query reads the caller and the domains at once. There are three queries because each
 * plan then has only a few look-ups by key, and most services see one kind at a time.
 */
import type { Knex } from 'knex'
import { KEY_END } from '../../credentials/api-key.ts'
import type { KeyLimits, KeyScope } from '../../rules/key-scope.ts'
import { BatchedQuery } from '../../database/batched-query.ts'

/** The current state of a domain. Addresses are canonical text. */
export interface HostState {
  readonly domainId: string
  readonly fqdn: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  /** Increases with each change. */
  readonly version: number
  /** Locked, over the limit, or of a blocked owner: the domain accepts no updates. */
  readonly isWithheld: boolean
  /** DNS publishes the addresses of the forwarding servers. */
  readonly isForwarded: boolean
}

/** The account of a password. */
export interface AccountReading {
  readonly credentialVersion: number
  /** Disabled, by its plan or by an administrator. */
  readonly isBlocked: boolean
  /** Signing in requires more than the password. */
  readonly hasSecondFactor: boolean
  /**
   * Undefined when the domain does not exist or belongs to another account. Wildcards follow their
   * bases and are not found here.
   */
  readonly host: HostState | undefined
}

/** The account of an API key. */
export interface KeyReading {
  readonly keyId: string
  /** The trust policy for which the key was issued; null for keys that users create. */
  readonly policyId: string | null
  readonly userId: string
  readonly isBlocked: boolean
  /** Whether the account's plan includes API keys. */
  readonly isInPlan: boolean
  /** Undefined for a key without a scope and without an end. */
  readonly limits: KeyLimits | undefined
  readonly host: HostState | undefined
}

/** The account and the domain of an update token, whatever name was requested. */
export interface TokenReading {
  readonly tokenId: string
  readonly userId: string
  readonly isBlocked: boolean
  readonly host: HostState
}

/** The requested name; null for the only domain of the account. */
type RequestedName = string | null

type HostColumns = [
  domainId: string | null,
  fqdn: string | null,
  ipv4: string | null,
  ipv6: string | null,
  version: number | null,
  isWithheld: boolean | null,
  isForwarded: boolean | null,
]

const HOST = `d.id, d.fqdn, host(d.record_ipv4), host(d.record_ipv6), d.version,
  d.locked or d.over_limit or d.owner_blocked, d.is_forwarded`
const IS_BLOCKED = `not u.enabled or u.account_type = 'disabled'`
// Without a name: the only domain of the account, looked up only when no name was given. Two rows show that there is
// more than one; without this limit PostgreSQL estimates a high cost, and scans the whole table to run the look-up less
// often.
const WANTED = `coalesce(a.fqdn, (
    select min(fqdn) from (
      select s.fqdn from domains s where s.user_id = u.id and not s.is_wildcard limit 2
    ) as two having count(*) = 1))`
// The arrays are in sub-selects so that PostgreSQL uses the prepared plan: with a visible array it plans each call anew.
const BY_ACCOUNT = `
  select a.n, u.credential_version, ${IS_BLOCKED}, u.has_second_factor, ${HOST}
  from unnest((select ?::bigint[]), (select ?::text[])) with ordinality as a(user_id, fqdn, n)
  join users u on u.id = a.user_id
  left join domains d on d.fqdn = ${WANTED} and d.user_id = u.id and not d.is_wildcard`
// The plans with API keys are read once per query: one more join would add a tenth to the cost of each row.
const BY_KEY = `
  select a.n, k.id, k.replaced_by, k.policy_id, u.id, ${IS_BLOCKED},
    u.account_type in (select account_type from plans where 'api_keys' = any (abilities)),
    k.scope, ${KEY_END}, ${HOST}
  from unnest((select ?::bytea[]), (select ?::text[])) with ordinality as a(digest, fqdn, n)
  join api_keys k on k.secret_digest = a.digest
  join users u on u.id = k.user_id
  left join domains d on d.fqdn = ${WANTED} and d.user_id = u.id and not d.is_wildcard`
const BY_TOKEN = `
  select a.n, t.id, u.id, ${IS_BLOCKED}, ${HOST}
  from unnest((select ?::bytea[])) with ordinality as a(digest, n)
  join update_tokens t on t.secret_digest = a.digest
  join domains d on d.id = t.domain_id
  join users u on u.id = d.user_id`

type AccountRow = [
  n: string,
  credentialVersion: number,
  isBlocked: boolean,
  hasSecondFactor: boolean,
  ...HostColumns,
]
type KeyRow = [
  n: string,
  secretId: string,
  replacedBy: string | null,
  policyId: string | null,
  userId: string,
  isBlocked: boolean,
  isInPlan: boolean,
  scope: KeyScope | null,
  endsAt: Date | null,
  ...HostColumns,
]
type TokenRow = [n: string, tokenId: string, userId: string, isBlocked: boolean, ...HostColumns]

function hostOf(columns: HostColumns): HostState | undefined {
  const [domainId, fqdn, ipv4, ipv6, version, withheld, forwarded] = columns
  if (domainId === null || fqdn === null || version === null) return undefined
  const [isWithheld, isForwarded] = [withheld === true, forwarded === true]
  return { domainId, fqdn, ipv4, ipv6, version, isWithheld, isForwarded }
}

function accountReading(row: AccountRow): AccountReading {
  const [, credentialVersion, isBlocked, hasSecondFactor, ...host] = row
  return { credentialVersion, isBlocked, hasSecondFactor, host: hostOf(host) }
}

function keyReading(row: KeyRow): KeyReading {
  const [, secretId, replacedBy, policyId, userId, isBlocked, isInPlan, scope, endsAt, ...host] =
    row
  const limits = scope === null && endsAt === null ? undefined : { scope, endsAt }
  const keyId = replacedBy ?? secretId
  return { keyId, policyId, userId, isBlocked, isInPlan, limits, host: hostOf(host) }
}

function tokenReading([, tokenId, userId, isBlocked, ...columns]: TokenRow): TokenReading {
  const host = hostOf(columns)
  if (host === undefined) throw new Error('an update token belongs to a domain')
  return { tokenId, userId, isBlocked, host }
}

/** The form in which PostgreSQL reads octets from a text. */
const octets = (digest: string) => `\\x${digest}`

interface AccountQuestion {
  readonly userId: string
  readonly fqdn: RequestedName
}

interface KeyQuestion {
  readonly digest: string
  readonly fqdn: RequestedName
}

export class HostReader {
  readonly #knex: Knex
  readonly #accounts: BatchedQuery<AccountQuestion, AccountReading | undefined>
  readonly #keys: BatchedQuery<KeyQuestion, KeyReading | undefined>
  readonly #tokens: BatchedQuery<string, TokenReading | undefined>

  constructor(knex: Knex) {
    this.#knex = knex
    this.#accounts = new BatchedQuery(async (asked) => {
      const columns = [asked.map(({ userId }) => userId), asked.map(({ fqdn }) => fqdn)]
      const rows = await this.#rows<AccountRow>('read-hosts', BY_ACCOUNT, columns)
      return rows.map((row) => row && accountReading(row))
    })
    this.#keys = new BatchedQuery(async (asked) => {
      const columns = [asked.map(({ digest }) => octets(digest)), asked.map(({ fqdn }) => fqdn)]
      const rows = await this.#rows<KeyRow>('read-key-hosts', BY_KEY, columns)
      return rows.map((row) => row && keyReading(row))
    })
    this.#tokens = new BatchedQuery(async (digests) => {
      const rows = await this.#rows<TokenRow>('read-token-hosts', BY_TOKEN, [digests.map(octets)])
      return rows.map((row) => row && tokenReading(row))
    })
  }

  /**
   * An account and one of its domains. Undefined when the account does not exist.
   *
   * @throws Error of PostgreSQL when it is unavailable, like the other methods
   */
  ofAccount(userId: string, fqdn: RequestedName): Promise<AccountReading | undefined> {
    return this.#accounts.ask({ userId, fqdn })
  }

  /** The key of a digest (in hexadecimal), its account, and one of its domains. Undefined when the key does not exist. */
  ofKey(digest: string, fqdn: RequestedName): Promise<KeyReading | undefined> {
    return this.#keys.ask({ digest, fqdn })
  }

  /** The update token of a digest (in hexadecimal), its account, and its domain. Undefined when the token does not exist. */
  ofToken(digest: string): Promise<TokenReading | undefined> {
    return this.#tokens.ask(digest)
  }

  /** One row per question, in order; undefined where nothing was found. */
  async #rows<Row extends readonly [n: string, ...unknown[]]>(
    name: string,
    sql: string,
    columns: readonly (readonly unknown[])[],
  ): Promise<(Row | undefined)[]> {
    const answer: { rows: Row[] } = await this.#knex
      .raw(sql, columns as unknown as Knex.RawBinding[])
      .options({ name, rowMode: 'array' })
    const rows: (Row | undefined)[] = Array.from({ length: columns[0]?.length ?? 0 })
    for (const row of answer.rows) rows[Number(row[0]) - 1] = row
    return rows
  }
}
