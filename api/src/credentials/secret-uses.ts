/**
 * When and from where keys and tokens were last used. It is for people, so it need not cost
 * each call a write: uses are gathered in memory and written together every few seconds,
 * and of a secret that is used all the time once a minute.
 */
import type { Knex } from 'knex'
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
/** The use of one secret is written once in so long. */
const NOTED_EVERY_MS = 60_000
/** Secrets whose use waits to be written, or was written lately; the oldest are forgotten. */
const SECRETS_LIMIT = 20_000
const BATCH = 500

// Rows that somebody deletes at this moment are left alone, so that the two cannot wait for each other.
const WRITE = {
  api_key: `
    update api_keys k set last_used_at = u.at
    from (select a.* from unnest(?::bigint[], ?::timestamptz[], ?::inet[], ?::text[]) as a(id, at, ip, client)) as u
    where k.id = u.id and k.id in (select id from api_keys where id = any (?::bigint[]) for no key update skip locked)`,
  update_token: `
    update update_tokens k set last_used_at = u.at, last_used_ip = u.ip, last_client = u.client
    from (select a.* from unnest(?::bigint[], ?::timestamptz[], ?::inet[], ?::text[]) as a(id, at, ip, client)) as u
    where k.id = u.id and k.id in (select id from update_tokens where id = any (?::bigint[]) for no key update skip locked)`,
} as const satisfies Record<SecretKind, string>

export interface SecretUsesOptions {
  readonly knex: Knex
  readonly now: () => Date
  /** Hears why uses could not be written; they are tried again. */
  readonly onError: (error: unknown) => void
}

export class SecretUses {
  readonly #options: SecretUsesOptions
  /** What waits to be written, by kind and id. */
  readonly #waiting = new Map<string, Use>()
  /** When a secret's use was last put down, in milliseconds, by kind and id. */
  readonly #noted = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: SecretUsesOptions) {
    this.#options = options
  }

  /** Puts a use down. It never fails, and costs a look into a map while the last one is young. */
  note(kind: SecretKind, id: string, { ip, client }: UseSource): void {
    const key = `${kind} ${id}`
    const at = this.#options.now()
    const before = this.#noted.get(key)
    const age = before === undefined ? Infinity : at.getTime() - before
    // A clock that was set back must not silence it.
    if (age >= 0 && age < NOTED_EVERY_MS) return
    this.#noted.delete(key)
    this.#noted.set(key, at.getTime())
    const [oldest] = this.#noted.keys()
    if (this.#noted.size > SECRETS_LIMIT && oldest !== undefined) this.#noted.delete(oldest)
    if (this.#waiting.size < SECRETS_LIMIT) this.#waiting.set(key, { at, ip, client })
    this.#timer ??= setTimeout(() => void this.flush(), WRITTEN_EVERY_MS).unref()
  }

  /** Writes what waits; at once when nothing does. It never fails. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#writing !== undefined) await this.#writing
    if (this.#waiting.size === 0) return
    this.#writing = this.#write().finally(() => (this.#writing = undefined))
    await this.#writing
  }

  async #write(): Promise<void> {
    const uses = [...this.#waiting]
    this.#waiting.clear()
    try {
      for (const kind of ['api_key', 'update_token'] as const) {
        const ofKind = uses.filter(([key]) => key.startsWith(`${kind} `))
        for (let n = 0; n < ofKind.length; n += BATCH) {
          await this.#writeBatch(kind, ofKind.slice(n, n + BATCH))
        }
      }
    } catch (error) {
      // The next use of each is put down again.
      for (const [key] of uses) this.#noted.delete(key)
      this.#options.onError(error)
    }
  }

  async #writeBatch(kind: SecretKind, uses: readonly (readonly [string, Use])[]): Promise<void> {
    const ids = uses.map(([key]) => key.slice(kind.length + 1))
    await query(this.#options.knex, WRITE[kind], [
      ids,
      uses.map(([, { at }]) => at.toISOString()),
      uses.map(([, { ip }]) => ip),
      uses.map(([, { client }]) => client),
      ids,
    ])
  }
}
