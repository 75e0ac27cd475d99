/**
 * When and from where keys and tokens were last used. It is for people, so it need not cost
 * each call a write: uses are batched in memory and written together every few seconds,
 * and of a secret that is used all the time once a minute.
 */
import type { Knex } from 'knex'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecretKind } from '../rules/secrets.ts'
import { query } from '../database/sql.ts'

/** From where a secret was used, and with what. */
export interface UseSource {
  readonly ip: string
  readonly client: string | null
}

interface Use extends UseSource {
  readonly at: Date
}

const WRITTEN_EVERY_MS = 5_000
/** A service that stops waits no longer for the last ones. */
const STOP_LIMIT_MS = 1_000
/** The use of one secret is written once in so long. */
const NOTED_EVERY_MS = 60_000
/** Secrets whose use waits to be written, or was written lately; the oldest are forgotten. */
const SECRETS_LIMIT = 20_000
const BATCH = 500

// By digests: the row of a key gets another one when the key is rotated, and the old secret's last use is not the new one's.
// Rows that somebody deletes or holds at this moment are left alone, so that nobody waits for anybody.
const writing = (table: string, columns: string) => `
  update ${table} k set ${columns}
  from unnest(?::bytea[], ?::timestamptz[], ?::inet[], ?::text[]) as u(digest, at, ip, client)
  where k.secret_digest = u.digest
    and k.id in (select id from ${table} where secret_digest = any (?::bytea[]) for no key update skip locked)`

const LAST_USE = 'last_used_at = u.at, last_used_ip = u.ip, last_client = u.client'

const WRITE = {
  api_key: writing(
    'api_keys',
    `${LAST_USE}, unused_expires_at = u.at + make_interval(days => k.unused_days)`,
  ),
  update_token: writing('update_tokens', LAST_USE),
} as const satisfies Record<SecretKind, string>

const KINDS = ['api_key', 'update_token'] as const satisfies readonly SecretKind[]

/** The uses of secrets of one kind, by their digests. */
class Uses {
  waiting = new Map<string, Use>()
  /** When a use was last put down, in milliseconds. */
  readonly noted = new Map<string, number>()

  note(digest: string, at: Date, { ip, client }: UseSource): void {
    this.noted.delete(digest)
    this.noted.set(digest, at.getTime())
    const [oldest] = this.noted.keys()
    if (this.noted.size > SECRETS_LIMIT && oldest !== undefined) this.noted.delete(oldest)
    if (this.waiting.size < SECRETS_LIMIT) this.waiting.set(digest, { at, ip, client })
  }

  /** What waits, in batches; nothing waits any more. */
  take(): (readonly (readonly [digest: string, use: Use])[])[] {
    const uses = [...this.waiting]
    this.waiting = new Map()
    return Array.from({ length: Math.ceil(uses.length / BATCH) }, (_, n) =>
      uses.slice(n * BATCH, (n + 1) * BATCH),
    )
  }
}

export interface SecretUsesOptions {
  readonly knex: Knex
  readonly now: () => Date
  /** Hears why uses could not be written; the next use of each is put down again. */
  readonly onError: (error: unknown) => void
}

export class SecretUses {
  readonly #options: SecretUsesOptions
  readonly #uses = { api_key: new Uses(), update_token: new Uses() }
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: SecretUsesOptions) {
    this.#options = options
  }

  /**
   * Puts a use down. It never fails, and costs a look into a map while the last one is young.
   *
   * @param digest of the secret, in hexadecimal
   */
  note(kind: SecretKind, digest: string, source: UseSource): void {
    const uses = this.#uses[kind]
    const at = this.#options.now()
    const before = uses.noted.get(digest)
    const age = before === undefined ? Infinity : at.getTime() - before
    // A clock that was set back must not silence it.
    if (age >= 0 && age < NOTED_EVERY_MS) return
    uses.note(digest, at, source)
    this.#timer ??= setTimeout(() => void this.flush(), WRITTEN_EVERY_MS).unref()
  }

  /** Writes what waits; at once when nothing does. It never fails. */
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
    for (const kind of KINDS) {
      for (const batch of this.#uses[kind].take()) await this.#writeBatch(kind, batch)
    }
  }

  async #writeBatch(kind: SecretKind, uses: readonly (readonly [string, Use])[]): Promise<void> {
    const digests = uses.map(([digest]) => digest)
    const octets = digests.map((digest) => `\\x${digest}`)
    try {
      await query(this.#options.knex, WRITE[kind], [
        octets,
        uses.map(([, { at }]) => at.toISOString()),
        uses.map(([, { ip }]) => ip),
        uses.map(([, { client }]) => client),
        octets,
      ])
    } catch (error) {
      for (const digest of digests) this.#uses[kind].noted.delete(digest)
      this.#options.onError(error)
    }
  }
}
