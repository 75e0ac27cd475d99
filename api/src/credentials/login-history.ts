/**
 * Who signed in to an account, or tried to, for its owner to see.
 *
 * A success is written with the session. A failure is written a moment after it was answered: an
 * account that exists would otherwise cost a write that one does not which is none, and the time
 * of the answer would tell.
 */
import type { SignInMethod } from '@homing/openapi'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { networkOf } from '../domain/networks.ts'
import type { CountryOf } from '../integrations/network-origins.ts'
import { query } from '../sql.ts'

/** How long a sign-in is kept, in days. */
export const LOGINS_KEPT_DAYS = 90
/** Failures that wait to be written; more are dropped until these are. */
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

export interface Login extends LoginAttempt {
  readonly cc: string | null
  /** With what, as that calls itself. */
  readonly client: string | null
}

/** Sign-ins that are compared with a new one: the latest, as a script may sign in every minute. */
const COMPARED_LIMIT = 1_000

const COMPARE = `
  select count(*)::int as logins,
         coalesce(bool_or(l.ip <<= g.network), false) as knows_network,
         coalesce(bool_or(l.client is not distinct from g.client), false) as knows_client
  from (select ?::inet as network, ?::text as client) g cross join lateral (
    select ip, client from login_history
    where user_id = ? and success order by at desc, id desc limit ${COMPARED_LIMIT}
  ) l`

/**
 * Writes that somebody signed in.
 *
 * @returns whether the account knows the network and the client from earlier sign-ins; the first of
 * all has nothing to compare with, and counts as known
 */
export async function writeLogin(
  trx: Knex.Transaction,
  { userId, at, ip, cc, client, method }: Login,
): Promise<{ readonly isKnown: boolean }> {
  const [before] = await query<{ logins: number; knows_network: boolean; knows_client: boolean }>(
    trx,
    COMPARE,
    [networkOf(ip), client, userId],
  )
  await query(
    trx,
    `insert into login_history (user_id, at, ip, cc, client, method, success) values (?, ?, ?, ?, ?, ?, true)`,
    [userId, at, ip, cc, client, method],
  )
  const isFirst = before === undefined || before.logins === 0
  return { isKnown: isFirst || (before.knows_network && before.knows_client) }
}

// Joined with the accounts, so that one that went meanwhile does not stop the others.
const WRITE_FAILURES = `
  insert into login_history (user_id, at, ip, cc, method, success)
  select u.id, f.at, f.ip, f.cc, f.method, false
  from unnest(?::bigint[], ?::timestamptz[], ?::inet[], ?::text[], ?::text[]) f (user_id, at, ip, cc, method)
  join users u on u.id = f.user_id`

export interface LoginHistoryOptions {
  readonly knex: Knex
  readonly countryOf: CountryOf
  /** Hears why failures could not be written; they are lost. */
  readonly onError: (error: unknown) => void
}

export class LoginHistory {
  readonly #options: LoginHistoryOptions
  #waiting: LoginAttempt[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: LoginHistoryOptions) {
    this.#options = options
  }

  /** Puts down that somebody tried in vain. It never fails, and asks nobody. */
  noteFailure(attempt: LoginAttempt): void {
    if (this.#waiting.length >= WAITING_LIMIT) return
    this.#waiting.push(attempt)
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
    const attempts = this.#waiting
    this.#waiting = []
    if (attempts.length === 0) return
    const { knex, countryOf, onError } = this.#options
    try {
      await query(knex, WRITE_FAILURES, [
        attempts.map(({ userId }) => userId),
        attempts.map(({ at }) => at.toISOString()),
        attempts.map(({ ip }) => ip),
        await Promise.all(attempts.map(({ ip }) => countryOf(ip))),
        attempts.map(({ method }) => method),
      ])
    } catch (error) {
      onError(error)
    }
  }
}
