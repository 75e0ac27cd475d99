/**
 * The successful and failed sign-ins of an account, for its owner.
 *
 * A sign-in is written with its session. Other entries are written shortly after the response, many by one statement: a
 * write before the response would make it slower for accounts that exist, and so reveal that they do.
 */
import type { SignInMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { networkOf } from '../rules/networks.ts'
import type { CountryOf } from '../integrations/network-origins.ts'
import { LoginHistoryEntry } from '../models/login-history-entry.ts'
import { query } from '../database/sql.ts'
import { WriteBehind } from '../database/write-behind.ts'

/** How long a sign-in is kept, in days. */
export const LOGINS_KEPT_DAYS = 90
/** Maximum number of entries that wait to be written; further entries are dropped. */
const WAITING_LIMIT = 10_000
const WRITTEN_AFTER_MS = 200

export interface LoginAttempt {
  readonly userId: string
  readonly at: Date
  readonly ip: string
  readonly method: SignInMethod
}

/** A password attempt at an update URL, and its result. */
export interface UpdatePasswordTry {
  readonly userId: string
  readonly at: Date
  readonly ip: string
  readonly isRight: boolean
  /**
   * The domains that the call named, of any owner. If one belongs to the account, its update calls show the attempt.
   */
  readonly names: readonly string[]
}

export interface Login extends LoginAttempt {
  readonly cc: string | null
  /** The User-Agent. */
  readonly client: string | null
}

/** Number of latest sign-ins that a new one is compared with, because a script may sign in every minute. */
const COMPARED_LIMIT = 1_000
/**
 * Maximum number of notices of new devices to one account within an hour: someone who has the password must not fill
 * the mailbox.
 */
const NOTICES_PER_HOUR = 10
const HOUR_MS = 3_600_000

const COMPARE = `
  select count(*)::int as logins,
         coalesce(bool_or(l.ip <<= g.network), false) as knows_network,
         coalesce(bool_or(l.client is not distinct from g.client), false) as knows_client,
         (count(distinct (l.ip, coalesce(l.client, ''))) filter (where l.at > g.lately))::int as lately
  from (select ?::inet as network, ?::text as client, ?::timestamptz as lately) g cross join lateral (
    select ip, client, at from login_history
    where user_id = ? and success and method is distinct from 'update_password'
    order by at desc, id desc limit ${COMPARED_LIMIT}
  ) l`

interface Comparison {
  readonly logins: number
  readonly knows_network: boolean
  readonly knows_client: boolean
  /** Number of distinct pairs of address and client that signed in within the last hour. */
  readonly lately: number
}

/** Whether the owner gets a notice. The first sign-in has nothing to compare with. */
function isNews({ logins, knows_network, knows_client, lately }: Comparison): boolean {
  const isKnown = logins === 0 || (knows_network && knows_client)
  return !isKnown && lately < NOTICES_PER_HOUR
}

/**
 * Records a successful sign-in.
 *
 * @returns whether the owner gets a notice: no earlier sign-in came from this network or from this client, and the
 * owner got few notices in this hour
 */
export async function writeLogin(
  trx: Knex.Transaction,
  { userId, at, ip, cc, client, method }: Login,
): Promise<{ readonly isNews: boolean }> {
  const lately = new Date(at.getTime() - HOUR_MS)
  const [before] = await query<Comparison>(trx, COMPARE, [networkOf(ip), client, lately, userId])
  await LoginHistoryEntry.query(trx).insert({
    user_id: userId,
    at,
    ip,
    cc,
    client,
    method,
    success: true,
  })
  return { isNews: before !== undefined && isNews(before) }
}

// Joined with the accounts, so that the deletion of one does not prevent the other entries.
const WRITE_WAITING = `
  insert into login_history (user_id, at, ip, cc, method, success)
  select u.id, w.at, w.ip, w.cc, w.method, w.success
  from unnest(?::bigint[], ?::timestamptz[], ?::inet[], ?::text[], ?::text[], ?::boolean[], ?::text[])
    w (user_id, at, ip, cc, method, success, names)
  join users u on u.id = w.user_id
  where not exists (
    select from domains d where d.user_id = u.id and d.fqdn = any (string_to_array(w.names, ','))
  )`

interface WaitingEntry extends LoginAttempt {
  readonly success: boolean
  /** The names of domains, separated by commas: an entry is dropped if one of them belongs to the account. */
  readonly names: string
}

export interface LoginHistoryOptions {
  readonly knex: Knex
  readonly countryOf: CountryOf
  /** Called with the reason when entries could not be written; they are lost. */
  readonly onError: (error: unknown) => void
}

export class LoginHistory {
  readonly #options: LoginHistoryOptions
  #waiting: WaitingEntry[] = []
  readonly #writing = new WriteBehind(() => this.#write())

  constructor(options: LoginHistoryOptions) {
    this.#options = options
  }

  /** Records a failed sign-in. It never throws and never waits. */
  noteFailure(attempt: LoginAttempt): void {
    this.#note({ ...attempt, success: false, names: '' })
  }

  /**
   * Records a password attempt at an update URL, unless the update calls of one of the account's domains show it. It
   * never throws and never waits: the owner of the domains is looked up when the entry is written.
   */
  noteUpdatePassword({ userId, at, ip, isRight, names }: UpdatePasswordTry): void {
    const method = 'update_password'
    this.#note({ userId, at, ip, method, success: isRight, names: names.join() })
  }

  #note(entry: WaitingEntry): void {
    if (this.#waiting.length >= WAITING_LIMIT) return
    this.#waiting.push(entry)
    this.#writing.schedule(WRITTEN_AFTER_MS)
  }

  /** Writes the waiting entries. It never fails. */
  flush(): Promise<void> {
    return this.#writing.flush()
  }

  /** Writes the waiting entries before the service closes the database, or gives up after a second. */
  stop(): Promise<void> {
    return this.#writing.stop()
  }

  async #write(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length === 0) return
    const { knex, countryOf, onError } = this.#options
    try {
      await query(knex, WRITE_WAITING, [
        entries.map(({ userId }) => userId),
        entries.map(({ at }) => at.toISOString()),
        entries.map(({ ip }) => ip),
        await Promise.all(entries.map(({ ip }) => countryOf(ip))),
        entries.map(({ method }) => method),
        entries.map(({ success }) => success),
        entries.map(({ names }) => names),
      ])
    } catch (error) {
      onError(error)
    }
  }
}
