/**
 * Who signed in to an account, or tried to, for its owner to see.
 *
 * A sign-in is written with its session. What else is noted is written a moment after it was answered, many entries by one
 * statement: a write before the answer would make the answer slower for accounts that exist, and tell that they do.
 */
import type { SignInMethod } from '@homing/openapi'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { networkOf } from '../rules/networks.ts'
import type { CountryOf } from '../integrations/network-origins.ts'
import { LoginHistoryEntry } from '../models/login-history-entry.ts'
import { query } from '../database/sql.ts'

/** How long a sign-in is kept, in days. */
export const LOGINS_KEPT_DAYS = 90
/** Entries that wait to be written; more are dropped until these are. */
const WAITING_LIMIT = 10_000
const WRITTEN_AFTER_MS = 200
/** Longest wait for the last write, in milliseconds. */
const STOP_LIMIT_MS = 1_000

export interface LoginAttempt {
  readonly userId: string
  readonly at: Date
  readonly ip: string
  readonly method: SignInMethod
}

/** A password that was tried at an update URL, as its evaluation found it. */
export interface UpdatePasswordTry {
  readonly userId: string
  readonly at: Date
  readonly ip: string
  readonly isRight: boolean
  /** The domains that the call named, of any owner. Where one is the account's, its update calls show the try. */
  readonly names: readonly string[]
}

export interface Login extends LoginAttempt {
  readonly cc: string | null
  /** With what, as that calls itself. */
  readonly client: string | null
}

/** Sign-ins that are compared with a new one: the latest, as a script may sign in every minute. */
const COMPARED_LIMIT = 1_000
/** Sign-ins from different places or with different clients of which somebody is told within an hour: whoever has the password must not fill the mailbox. */
const TOLD_LIMIT = 10
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
  /** In how many ways somebody signed in within the last hour. */
  readonly lately: number
}

/** Whether the owner is told; the first sign-in of all has nothing to compare with. */
function isNews({ logins, knows_network, knows_client, lately }: Comparison): boolean {
  const isKnown = logins === 0 || (knows_network && knows_client)
  return !isKnown && lately < TOLD_LIMIT
}

/**
 * Writes that somebody signed in.
 *
 * @returns whether the owner is to be told: the account knows the network or the client from no earlier
 * sign-in, and its owner was not told of many in this hour
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

// Joined with the accounts, so that one that was deleted meanwhile does not stop the others.
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
  /** Names of domains with commas between them: an entry is dropped where one is the account's. */
  readonly names: string
}

export interface LoginHistoryOptions {
  readonly knex: Knex
  readonly countryOf: CountryOf
  /** Hears why entries could not be written; they are lost. */
  readonly onError: (error: unknown) => void
}

export class LoginHistory {
  readonly #options: LoginHistoryOptions
  #waiting: WaitingEntry[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: LoginHistoryOptions) {
    this.#options = options
  }

  /** Notes a sign-in that failed. It never throws and never waits. */
  noteFailure(attempt: LoginAttempt): void {
    this.#note({ ...attempt, success: false, names: '' })
  }

  /**
   * Notes a password that was tried at an update URL, unless the update calls of one of the account's domains show the try. It never
   * throws and never waits: whose the domains are is asked when the entry is written.
   */
  noteUpdatePassword({ userId, at, ip, isRight, names }: UpdatePasswordTry): void {
    const method = 'update_password'
    this.#note({ userId, at, ip, method, success: isRight, names: names.join() })
  }

  #note(entry: WaitingEntry): void {
    if (this.#waiting.length >= WAITING_LIMIT) return
    this.#waiting.push(entry)
    this.#timer ??= setTimeout(() => void this.flush(), WRITTEN_AFTER_MS).unref()
  }

  /** Writes what waits. It never fails. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#writing !== undefined) await this.#writing
    this.#writing = this.#write().finally(() => (this.#writing = undefined))
    await this.#writing
  }

  /** Writes what waits before the service lets go of the database, if that takes it at once. */
  async stop(): Promise<void> {
    await Promise.race([this.flush(), delay(STOP_LIMIT_MS, undefined, { ref: false })])
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
