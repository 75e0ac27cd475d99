/**
 * When and from where keys and tokens were last used. The data is for people, so a write for each call is not
 * necessary: uses are collected in memory and written together every few seconds, for each secret at most once a
 * minute.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { WriteBehind } from '../database/write-behind.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { SecretKind } from '../rules/secrets.ts'

/** The time of the last heartbeat belongs to the monitor. */
type UsedKind = Exclude<SecretKind, 'heartbeat'>

/** The network address and the client of a use. */
export interface UseSource {
  readonly ip: string
  readonly client: string | null
}

interface Use extends UseSource {
  readonly at: Date
}

const WRITTEN_EVERY_MS = 5_000
/** Minimum interval between two writes for one secret. */
const NOTED_EVERY_MS = 60_000
/** Maximum number of secrets whose use waits to be written or was written recently; the oldest are dropped. */
const SECRETS_LIMIT = 20_000
const BATCH = 500

// Found by digest: a rotation replaces the digest in the key's row, and the last use of the old secret is not that of
// the new one. Rows that another transaction deletes or locks are skipped, so that no transaction waits.
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
} as const satisfies Record<UsedKind, string>

const KINDS = ['api_key', 'update_token'] as const satisfies readonly UsedKind[]

/** The uses of secrets of one kind, by their digests. */
class Uses {
  waiting = new Map<string, Use>()
  /** When a use was last recorded, in milliseconds. */
  readonly noted = new BoundedMap<string, number>(SECRETS_LIMIT)

  note(digest: string, at: Date, { ip, client }: UseSource): void {
    // A use that is dropped is not noted, so that the next one is written.
    if (this.waiting.size >= SECRETS_LIMIT && !this.waiting.has(digest)) return
    this.noted.set(digest, at.getTime())
    this.waiting.set(digest, { at, ip, client })
  }

  /** Removes and returns the waiting uses, in batches. */
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
  /** Called with the reason when uses could not be written; the next use of each secret is recorded again. */
  readonly onError: (error: unknown) => void
}

export class SecretUses {
  readonly #options: SecretUsesOptions
  readonly #uses = { api_key: new Uses(), update_token: new Uses() }
  readonly #writing = new WriteBehind(() => this.#write())

  constructor(options: SecretUsesOptions) {
    this.#options = options
  }

  /**
   * Records a use. It never fails, and costs one map look-up while the last recorded use is recent.
   *
   * @param digest of the secret, in hexadecimal
   */
  note(kind: UsedKind, digest: string, source: UseSource): void {
    const uses = this.#uses[kind]
    const at = this.#options.now()
    const before = uses.noted.get(digest)
    const age = before === undefined ? Infinity : at.getTime() - before
    // A clock that was set back must not suppress it.
    if (age >= 0 && age < NOTED_EVERY_MS) return
    uses.note(digest, at, source)
    this.#writing.schedule(WRITTEN_EVERY_MS)
  }

  /** Writes the waiting uses. It never fails. */
  flush(): Promise<void> {
    return this.#writing.flush()
  }

  /** Writes the waiting uses before the service closes the database, or gives up after a second. */
  stop(): Promise<void> {
    return this.#writing.stop()
  }

  async #write(): Promise<void> {
    for (const kind of KINDS) {
      for (const batch of this.#uses[kind].take()) await this.#writeBatch(kind, batch)
    }
  }

  async #writeBatch(kind: UsedKind, uses: readonly (readonly [string, Use])[]): Promise<void> {
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
