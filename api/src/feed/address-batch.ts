/*
 * The two statements of the coalescer: one reads and judges a batch of address changes, the other
 * writes a batch.
 *
 * Both use the SQL function `address_judgement` to decide each change (another account's name, a
 * withheld name, another version, the same address). The read answers every caller whose verdict
 * needs no write. The write, the SQL function `write_addresses`, locks the remaining rows, judges
 * them again, and changes only those that still get `change`; the others are read again.
 *
 * The write is one statement in its own transaction: one round trip to the disk and back. Its steps
 * are ordinary statements, each with its own snapshot, in the order of locks (`lock-order.ts`):
 * domains by id, then serials by zone.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import {
  type AddressChange,
  CHANGE_BURST,
  CHANGE_REFILL_SECONDS,
  type Verdict,
  type WithheldReason,
} from './address-change.ts'

/** One change of a batch: the SQL type `address_change`. Omitted values are null. */
interface Entry {
  readonly n: number
  readonly domain_id: string
  readonly user_id: string
  readonly expected_version: number | undefined
  readonly sets_ipv4: boolean
  readonly ipv4: string | null | undefined
  readonly sets_ipv6: boolean
  readonly ipv6: string | null | undefined
  readonly is_throttled: boolean
  readonly actor: string
  readonly actor_id: string | null
  readonly source_ip: string | null
  readonly client: string | null
}

/** A change, and the version of the name that it replaces. */
export interface DueChange {
  readonly change: AddressChange
  readonly seenVersion: number | undefined
}

/** A change as the SQL type `address_change`. @param n its place in the batch */
export function entryOf({ change, seenVersion }: DueChange, n: number): Entry {
  return {
    n,
    domain_id: change.domainId,
    user_id: change.userId,
    expected_version: seenVersion ?? change.expectedVersion,
    sets_ipv4: change.ipv4 !== undefined,
    ipv4: change.ipv4,
    sets_ipv6: change.ipv6 !== undefined,
    ipv6: change.ipv6,
    is_throttled: change.isThrottled === true,
    actor: change.actor.kind,
    actor_id: change.actor.id,
    source_ip: change.actor.sourceIp,
    client: change.actor.client,
  }
}

/** A batch and the parameters of the rate limit, as both statements take them. */
const valuesOf = (changes: readonly DueChange[]) => [
  JSON.stringify(changes.map(entryOf)),
  CHANGE_REFILL_SECONDS,
  CHANGE_BURST,
]

// Goes through an array: PostgreSQL estimates few rows for unnest and looks domains up by key. For
// json_populate_recordset it estimates a hundred rows and scans the whole table.
const READ = `
  select c.n, address_judgement(d, u, c, refill_seconds, burst) as judgement, d.version, d.base_id,
         d.locked, d.over_limit, d.owner_blocked or not u.enabled or u.account_type = 'disabled' as owner_blocked,
         ceil(allowance_wait_seconds(d.allowance_full_at, refill_seconds, burst))::int as wait_seconds
  from (select ?::json as batch, ?::int as refill_seconds, ?::int as burst) as given
  cross join unnest(array(select c from json_populate_recordset(null::address_change, batch) as c)) as c
  left join domains d on d.id = c.domain_id
  left join users u on u.id = d.user_id`

interface JudgedRow {
  readonly n: number
  readonly judgement: Exclude<Verdict['kind'], 'changed'> | 'change'
  /** Null, like all fields below, when the domain does not exist. */
  readonly version: number
  readonly base_id: string | null
  readonly locked: boolean
  readonly over_limit: boolean
  readonly owner_blocked: boolean
  /**
   * Seconds until the rate limit allows a change again; null or negative when it allows one now.
   */
  readonly wait_seconds: number | null
}

function withheldReasons(row: JudgedRow): WithheldReason[] {
  return (['locked', 'over_limit', 'owner_blocked'] as const).filter((reason) => row[reason])
}

/** The judgement of a change; `change` when a write is due, against that version. */
export type Judgement = Verdict | { readonly kind: 'change'; readonly version: number }

function verdictOf(row: JudgedRow): Judgement {
  const { judgement, version } = row
  switch (judgement) {
    case 'gone':
      return { kind: judgement }
    case 'change':
    case 'unchanged':
    case 'version-mismatch':
      return { kind: judgement, version }
    case 'wildcard':
      return { kind: 'wildcard', baseId: row.base_id ?? '' }
    case 'withheld':
      return { kind: 'withheld', reasons: withheldReasons(row) }
    case 'throttled':
      break
  }
  return { kind: 'throttled', retryAfterSeconds: Math.max(1, row.wait_seconds ?? 1) }
}

/** The judgements of a batch, in its order, read from the primary. */
export async function judge(knex: Knex, changes: readonly AddressChange[]): Promise<Judgement[]> {
  const batch = changes.map((change) => ({ change, seenVersion: undefined }))
  const rows = await query<JudgedRow>(knex, READ, valuesOf(batch), 'judge-addresses')
  return rows.toSorted((a, b) => a.n - b.n).map(verdictOf)
}

/**
 * Writes a batch (each domain at most once) in one transaction: rows and their wildcards, history,
 * serials and change sets. Returns, for each position, the domain's new version, or undefined when
 * another transaction holds the row or the judgement no longer applies: judge those changes again.
 * The batch is atomic: when this throws, nothing of it is stored. When the connection broke, the
 * outcome is unknown: PostgreSQL may have received the statement and may still execute it later. By
 * then it changes only names whose version is the same, so later acknowledged changes are kept.
 */
export async function write(
  knex: Knex,
  due: readonly DueChange[],
): Promise<(number | undefined)[]> {
  const rows = await query<{ n: number; version: number }>(
    knex,
    'select n, version from write_addresses(?, ?, ?)',
    valuesOf(due),
    'write-addresses',
  )
  const written = new Map(rows.map(({ n, version }) => [n, version]))
  return due.map((_, n) => written.get(n))
}
