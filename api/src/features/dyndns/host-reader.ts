/*
 * Reading callers and names, batched.
 *
 * Each update request needs its caller's account as it is now and the names as they are
 * now, from the primary: nothing about them is remembered between requests. A query for
 * each request would cost more than all the rest of it, so requests that arrive together
 * share one. What a caller shows decides which query: the account of a password that was
 * right, the digest of an API key, or the digest of an update token; each settles the
 * caller and the names at once. The three are apart because each is a plan of a few
 * look-ups by key, and most services see one kind at a time.
 */
import type { Knex } from 'knex'
import { KEY_END } from '../../credentials/api-key.ts'
import type { KeyLimits, KeyScope } from '../../rules/key-scope.ts'
import { BatchedRead } from '../../database/batched-read.ts'

/** A name as it is. Addresses are canonical text. */
export interface HostState {
  readonly domainId: string
  readonly fqdn: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  /** Counts its changes. */
  readonly version: number
  /** Locked, over the limit or of a blocked owner: it takes no update. */
  readonly isWithheld: boolean
}

/** What a password belongs to. */
export interface AccountReading {
  readonly credentialVersion: number
  /** Disabled, by its plan or by an administrator. */
  readonly isBlocked: boolean
  /** Signing in takes more than the password. */
  readonly hasSecondFactor: boolean
  /** Undefined: no such name, or not this account's. Wildcards follow their bases and are none here. */
  readonly host: HostState | undefined
}

/** What an API key belongs to. */
export interface KeyReading {
  readonly keyId: string
  readonly userId: string
  readonly isBlocked: boolean
  /** Whether the account's plan has API keys. */
  readonly isInPlan: boolean
  /** Undefined: the key is for everything, and for good. */
  readonly limits: KeyLimits | undefined
  readonly host: HostState | undefined
}

/** What an update token belongs to: one name, whatever name is asked for. */
export interface TokenReading {
  readonly tokenId: string
  readonly userId: string
  readonly isBlocked: boolean
  readonly host: HostState
}

/** The name that is asked for; null asks for the only one that the account has. */
type RequestedName = string | null

type HostColumns = [
  domainId: string | null,
  fqdn: string | null,
  ipv4: string | null,
  ipv6: string | null,
  version: number | null,
  isWithheld: boolean | null,
]

const HOST = `d.id, d.fqdn, host(d.record_ipv4), host(d.record_ipv6), d.version, d.locked or d.over_limit or d.owner_blocked`
const IS_BLOCKED = `not u.enabled or u.account_type = 'disabled'`
// Without a name: the only one there is. It is looked for where no name was given, and nowhere else. Two tell that there is no
// only one; without that bound PostgreSQL takes the question for a dear one, and reads the whole table to ask it less often.
const WANTED = `coalesce(a.fqdn, (
    select min(fqdn) from (
      select s.fqdn from domains s where s.user_id = u.id and not s.is_wildcard limit 2
    ) as two having count(*) = 1))`
// The arrays stand behind sub-selects so that PostgreSQL uses the prepared plan: where it sees an array it plans each time anew.
const BY_ACCOUNT = `
  select a.n, u.credential_version, ${IS_BLOCKED}, u.has_second_factor, ${HOST}
  from unnest((select ?::bigint[]), (select ?::text[])) with ordinality as a(user_id, fqdn, n)
  join users u on u.id = a.user_id
  left join domains d on d.fqdn = ${WANTED} and d.user_id = u.id and not d.is_wildcard`
// Which plans have keys is read once for a query: as one more join it would cost each row a tenth more.
const BY_KEY = `
  select a.n, k.id, k.replaced_by, u.id, ${IS_BLOCKED},
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
  userId: string,
  isBlocked: boolean,
  isInPlan: boolean,
  scope: KeyScope | null,
  endsAt: Date | null,
  ...HostColumns,
]
type TokenRow = [n: string, tokenId: string, userId: string, isBlocked: boolean, ...HostColumns]

function hostOf(columns: HostColumns): HostState | undefined {
  const [domainId, fqdn, ipv4, ipv6, version, isWithheld] = columns
  if (domainId === null || fqdn === null || version === null) return undefined
  return { domainId, fqdn, ipv4, ipv6, version, isWithheld: isWithheld === true }
}

function accountReading(row: AccountRow): AccountReading {
  const [, credentialVersion, isBlocked, hasSecondFactor, ...host] = row
  return { credentialVersion, isBlocked, hasSecondFactor, host: hostOf(host) }
}

function keyReading(row: KeyRow): KeyReading {
  const [, secretId, replacedBy, userId, isBlocked, isInPlan, scope, endsAt, ...host] = row
  const limits = scope === null && endsAt === null ? undefined : { scope, endsAt }
  const keyId = replacedBy ?? secretId
  return { keyId, userId, isBlocked, isInPlan, limits, host: hostOf(host) }
}

function tokenReading([, tokenId, userId, isBlocked, ...columns]: TokenRow): TokenReading {
  const host = hostOf(columns)
  if (host === undefined) throw new Error('an update token belongs to a domain')
  return { tokenId, userId, isBlocked, host }
}

/** How PostgreSQL reads octets from a text. */
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
  readonly #accounts: BatchedRead<AccountQuestion, AccountReading | undefined>
  readonly #keys: BatchedRead<KeyQuestion, KeyReading | undefined>
  readonly #tokens: BatchedRead<string, TokenReading | undefined>

  constructor(knex: Knex) {
    this.#knex = knex
    this.#accounts = new BatchedRead(async (asked) => {
      const columns = [asked.map(({ userId }) => userId), asked.map(({ fqdn }) => fqdn)]
      const rows = await this.#rows<AccountRow>('read-hosts', BY_ACCOUNT, columns)
      return rows.map((row) => row && accountReading(row))
    })
    this.#keys = new BatchedRead(async (asked) => {
      const columns = [asked.map(({ digest }) => octets(digest)), asked.map(({ fqdn }) => fqdn)]
      const rows = await this.#rows<KeyRow>('read-key-hosts', BY_KEY, columns)
      return rows.map((row) => row && keyReading(row))
    })
    this.#tokens = new BatchedRead(async (digests) => {
      const rows = await this.#rows<TokenRow>('read-token-hosts', BY_TOKEN, [digests.map(octets)])
      return rows.map((row) => row && tokenReading(row))
    })
  }

  /**
   * An account and one of its names. Undefined: there is no such account.
   *
   * @throws Error of PostgreSQL when it cannot be asked, as the others here
   */
  ofAccount(userId: string, fqdn: RequestedName): Promise<AccountReading | undefined> {
    return this.#accounts.ask({ userId, fqdn })
  }

  /** The key of a digest (in hexadecimal), its account, and one of its names. Undefined: there is no such key. */
  ofKey(digest: string, fqdn: RequestedName): Promise<KeyReading | undefined> {
    return this.#keys.ask({ digest, fqdn })
  }

  /** The update token of a digest (in hexadecimal), its account, and its name. Undefined: there is no such token. */
  ofToken(digest: string): Promise<TokenReading | undefined> {
    return this.#tokens.ask(digest)
  }

  /** A row for each question, in their order; undefined where nothing was found. */
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
