/**
 * When and from where keys and tokens were last used. It is for people, so it need not cost
 * each call a write: uses are gathered in memory and written together every few seconds,
 * and of a secret that is used all the time once a minute.
 */
import type { Knex } from 'knex'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecretKind } from '../domain/secrets.ts'
import { query } from '../sql.ts'

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

// Rows that somebody deletes or holds at this moment are left alone, so that nobody waits for anybody.
const writing = (table: string, columns: string) => `
  update ${table} k set ${columns}
  from unnest(?::bigint[], ?::timestamptz[], ?::inet[], ?::text[]) as u(id, at, ip, client)
  where k.id = u.id
    and k.id in (select id from ${table} where id = any (?::bigint[]) for no key update skip locked)`

const LAST_USE = 'last_used_at = u.at, last_used_ip = u.ip, last_client = u.client'

const WRITE = {
  api_key: writing(
    'api_keys',
    `${LAST_USE}, unused_expires_at = u.at + make_interval(days => k.unused_days)`,
  ),
  update_token: writing('update_tokens', LAST_USE),
} as const satisfies Record<SecretKind, string>

const KINDS = ['api_key', 'update_token'] as const satisfies readonly SecretKind[]

/** The uses of secrets of one kind, by their ids. */
class Uses {
  waiting = new Map<string, Use>()
  /** When a use was last put down, in milliseconds. */
  readonly noted = new Map<string, number>()

  note(id: string, at: Date, { ip, client }: UseSource): void {
    this.noted.delete(id)
    this.noted.set(id, at.getTime())
    const [oldest] = this.noted.keys()
    if (this.noted.size > SECRETS_LIMIT && oldest !== undefined) this.noted.delete(oldest)
    if (this.waiting.size < SECRETS_LIMIT) this.waiting.set(id, { at, ip, client })
  }

  /** What waits, in batches; nothing waits any more. */
  take(): (readonly (readonly [id: string, use: Use])[])[] {
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

  /** Puts a use down. It never fails, and costs a look into a map while the last one is young. */
  note(kind: SecretKind, id: string, source: UseSource): void {
    const uses = this.#uses[kind]
    const at = this.#options.now()
    const before = uses.noted.get(id)
    const age = before === undefined ? Infinity : at.getTime() - before
    // A clock that was set back must not silence it.
    if (age >= 0 && age < NOTED_EVERY_MS) return
    uses.note(id, at, source)
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
    const ids = uses.map(([id]) => id)
    try {
      await query(this.#options.knex, WRITE[kind], [
        ids,
        uses.map(([, { at }]) => at.toISOString()),
        uses.map(([, { ip }]) => ip),
        uses.map(([, { client }]) => client),
        ids,
      ])
    } catch (error) {
      for (const id of ids) this.#uses[kind].noted.delete(id)
      this.#options.onError(error)
    }
  }
}
