/**
 * Who signed in to an account, or tried to, for its owner to see.
 *
 * A success is written with the session. A failure is written a moment after it was answered: an
 * account that exists would otherwise cost a write that one does not which is none, and the time
 * of the answer would tell.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
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
}

/** Writes that somebody signed in. */
export async function writeLogin(trx: Knex.Transaction, login: LoginAttempt): Promise<void> {
  await query(trx, 'insert into login_history (user_id, at, ip, success) values (?, ?, ?, true)', [
    login.userId,
    login.at,
    login.ip,
  ])
}

// Joined with the accounts, so that one that went meanwhile does not stop the others.
const WRITE_FAILURES = `
  insert into login_history (user_id, at, ip, success)
  select u.id, f.at, f.ip, false
  from unnest(?::bigint[], ?::timestamptz[], ?::inet[]) f (user_id, at, ip) join users u on u.id = f.user_id`

export class LoginHistory {
  readonly #knex: Knex
  readonly #onError: (error: unknown) => void
  #waiting: LoginAttempt[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  /** @param onError hears why failures could not be written; they are lost */
  constructor(knex: Knex, onError: (error: unknown) => void) {
    this.#knex = knex
    this.#onError = onError
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
    try {
      await query(this.#knex, WRITE_FAILURES, [
        attempts.map(({ userId }) => userId),
        attempts.map(({ at }) => at.toISOString()),
        attempts.map(({ ip }) => ip),
      ])
    } catch (error) {
      this.#onError(error)
    }
  }
}
