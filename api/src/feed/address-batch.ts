/*
 * The two statements groups behind the coalescer: judging a batch of address changes
 * by one read, and writing a batch in one transaction.
 *
 * What a change meets (someone else's name, a withheld one, another version, the
 * same address) is decided by one SQL expression, JUDGEMENT, used by both. The read
 * answers everyone whose verdict needs no write. The write locks what is left, asks
 * the same question of the locked rows, and changes only those that still say
 * `change`; the others go back to be read again.
 */
import type { Knex } from 'knex'
import {
  type AddressChange,
  CHANGE_BURST,
  CHANGE_REFILL_SECONDS,
  type Verdict,
  type WithheldReason,
} from './address-change.ts'
import { ascendingIds, enterStep } from './lock-order.ts'
import { publish } from './publish.ts'
import type { DomainRow } from './rows.ts'
import { query } from '../sql.ts'

/** One change of a batch, or one wildcard that follows it. */
interface Entry {
  readonly n: number
  readonly id: string
  readonly user_id: string
  readonly expected_version: number | null
  readonly wildcard_id: string | null
  readonly sets_ipv4: boolean
  readonly ipv4: string | null
  readonly sets_ipv6: boolean
  readonly ipv6: string | null
  readonly is_throttled: boolean
  readonly actor: string
  readonly actor_id: string | null
  readonly source_ip: string | null
  readonly client: string | null
}

const COLUMN_TYPES: Readonly<Record<keyof Entry, string>> = {
  n: 'int',
  id: 'bigint',
  user_id: 'bigint',
  expected_version: 'int',
  wildcard_id: 'bigint',
  sets_ipv4: 'boolean',
  ipv4: 'inet',
  sets_ipv6: 'boolean',
  ipv6: 'inet',
  is_throttled: 'boolean',
  actor: 'text',
  actor_id: 'bigint',
  source_ip: 'inet',
  client: 'text',
}
const COLUMNS = Object.keys(COLUMN_TYPES) as (keyof Entry)[]

// An array for each column: one prepared statement serves every size of batch, and PostgreSQL expects few rows of unnest,
// so it looks domains up by their key. (Of json_to_recordset it expects a hundred, and read the whole table.) The arrays
// stand in sub-selects to be unknown to the planner: where it sees them, it takes a plan made for each execution to be
// cheaper, and planning then takes longer than the statement.
const BATCH = `unnest(${COLUMNS.map((column) => `(select ?::${COLUMN_TYPES[column]}[])`).join(', ')})
    as b(${COLUMNS.join(', ')})`

const columnsOf = (entries: readonly Entry[]) =>
  COLUMNS.map((column) => entries.map((entry) => entry[column]))

// The allowance of changes is one instant on the row that is written anyway, the one at which it will be full again: each
// change moves it by the time that one takes to come back. It costs no read or write of its own, and all replicas share it.
const BURST_SECONDS = CHANGE_BURST * CHANGE_REFILL_SECONDS
const WAIT = `extract(epoch from d.allowance_full_at - now()) + ${CHANGE_REFILL_SECONDS - BURST_SECONDS}`

const JUDGEMENT = `case
  when d.id is null or d.user_id <> b.user_id then 'gone'
  when d.base_id is not null then 'wildcard'
  when d.locked or d.over_limit or d.owner_blocked
    or not u.enabled or u.account_type = 'disabled' then 'withheld'
  when d.version <> b.expected_version then 'version-mismatch'
  when (not b.sets_ipv4 or d.record_ipv4 is not distinct from b.ipv4)
   and (not b.sets_ipv6 or d.record_ipv6 is not distinct from b.ipv6) then 'unchanged'
  when b.is_throttled and ${WAIT} > 0 then 'throttled'
  else 'change' end`

const READ = `
  select b.n, ${JUDGEMENT} as judgement, w.id as wildcard_id,
         not u.enabled or u.account_type = 'disabled' as account_blocked,
         ceil(${WAIT})::int as wait_seconds, d.*
  from ${BATCH}
  left join domains d on d.id = b.id
  left join users u on u.id = d.user_id
  left join domains w on w.base_id = d.id`

// Wildcards are locked with their bases, hence an entry of their own for each. PostgreSQL takes the locks after sorting,
// and looks at the newest version of a row once it is locked.
const LOCK = `
  select b.n, d.id, ${JUDGEMENT} as judgement
  from ${BATCH}
  join domains d on d.id = b.id
  join users u on u.id = d.user_id
  order by d.id
  for update of d skip locked`

// A wildcard that was made after its base was read is seen by this later statement; such a base is left for the next batch.
const WRITE = `
  with present as materialized (
    select b.*, d.fqdn, d.record_ipv4, d.record_ipv6,
           case when b.sets_ipv4 then b.ipv4 else d.record_ipv4 end as new_ipv4,
           case when b.sets_ipv6 then b.ipv6 else d.record_ipv6 end as new_ipv6
    from ${BATCH}
    join domains d on d.id = b.id
    left join domains w on w.base_id = d.id
    where w.id is not distinct from b.wildcard_id
  ), target as (
    select id, new_ipv4, new_ipv6 from present
    union all
    select wildcard_id, new_ipv4, new_ipv6 from present where wildcard_id is not null
  ), history as (
    insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                               old_ipv4, old_ipv6, new_ipv4, new_ipv6)
    select id, user_id, fqdn, 'address', actor, actor_id, source_ip, client,
           record_ipv4, record_ipv6, new_ipv4, new_ipv6
    from present
  )
  update domains d
  set record_ipv4 = t.new_ipv4, record_ipv6 = t.new_ipv6, version = d.version + 1, last_update_at = now(),
      allowance_full_at = greatest(d.allowance_full_at, now()) + interval '${CHANGE_REFILL_SECONDS} s'
  from target t where d.id = t.id
  returning d.*`

type Judgement = Exclude<Verdict['kind'], 'changed'> | 'change'

interface JudgedRow extends DomainRow {
  readonly n: number
  readonly judgement: Judgement
  readonly wildcard_id: string | null
  readonly account_blocked: boolean | null
  /** Until the allowance holds a change again; null or negative when it holds one now. */
  readonly wait_seconds: number | null
}

/** A change that needs a write, with the wildcard that follows the name. */
export interface DueChange {
  readonly change: AddressChange
  readonly wildcardId: string | null
}

function entryOf(n: number, change: AddressChange, wildcardId: string | null): Entry {
  return {
    n,
    id: change.domainId,
    user_id: change.userId,
    expected_version: change.expectedVersion ?? null,
    wildcard_id: wildcardId,
    sets_ipv4: change.ipv4 !== undefined,
    ipv4: change.ipv4 ?? null,
    sets_ipv6: change.ipv6 !== undefined,
    ipv6: change.ipv6 ?? null,
    is_throttled: change.isThrottled === true,
    actor: change.actor.kind,
    actor_id: change.actor.id,
    source_ip: change.actor.sourceIp,
    client: change.actor.client,
  }
}

function withheldReasons(row: JudgedRow): WithheldReason[] {
  const reasons: WithheldReason[] = []
  if (row.locked) reasons.push('locked')
  if (row.over_limit) reasons.push('over_limit')
  if (row.owner_blocked || row.account_blocked === true) reasons.push('owner_blocked')
  return reasons
}

function verdictOf(row: JudgedRow): Verdict | { kind: 'change'; wildcardId: string | null } {
  const { n: _, judgement, wildcard_id, account_blocked: __, wait_seconds, ...domain } = row
  switch (judgement) {
    case 'change':
      return { kind: 'change', wildcardId: wildcard_id }
    case 'gone':
      return { kind: 'gone' }
    case 'wildcard':
      return { kind: 'wildcard', baseId: row.base_id ?? '' }
    case 'withheld':
      return { kind: 'withheld', reasons: withheldReasons(row) }
    case 'version-mismatch':
      return { kind: 'version-mismatch', version: row.version }
    case 'throttled':
      return { kind: 'throttled', retryAfterSeconds: Math.max(1, wait_seconds ?? 1) }
    case 'unchanged':
      break
  }
  return { kind: 'unchanged', domain }
}

/** Verdicts of a batch in its order, read from the primary; `change` where a write is due. */
export async function judge(
  knex: Knex,
  changes: readonly AddressChange[],
): Promise<(Verdict | { kind: 'change'; wildcardId: string | null })[]> {
  const batch = columnsOf(changes.map((change, n) => entryOf(n, change, null)))
  const rows = await query<JudgedRow>(knex, READ, batch, 'judge-addresses')
  return rows.toSorted((a, b) => a.n - b.n).map(verdictOf)
}

/** The positions in `due` whose rows, and whose wildcards' rows, are now locked and still to be changed. */
async function lock(trx: Knex.Transaction, due: readonly DueChange[]): Promise<number[]> {
  const targets = due.flatMap(({ change, wildcardId }, n) => {
    const base = entryOf(n, change, wildcardId)
    return wildcardId === null ? [base] : [base, { ...base, id: wildcardId }]
  })
  enterStep(
    trx,
    'domains',
    ascendingIds(due.flatMap((d) => [d.change.domainId, d.wildcardId ?? d.change.domainId])),
  )
  const rows = await query<{ n: number; id: string; judgement: Judgement }>(
    trx,
    LOCK,
    columnsOf(targets),
    'lock-addresses',
  )
  const locked = new Map(rows.map((row) => [row.id, row]))
  return [...due.keys()].filter((n) => {
    const { change, wildcardId } = due[n] as DueChange
    const isOurs = locked.get(change.domainId)?.judgement === 'change'
    return isOurs && (wildcardId === null || locked.has(wildcardId))
  })
}

/**
 * Writes a batch (each domain at most once) in one transaction: rows, history, serials
 * and change sets. Gives, for each position, the domain as it now is, or undefined
 * where somebody else holds the row or the change no longer applies as it was judged:
 * judge those again. All or nothing: when this throws, nothing of the batch is stored,
 * or, when the connection broke during COMMIT, it is not known to be.
 */
export async function write(
  knex: Knex,
  due: readonly DueChange[],
): Promise<(DomainRow | undefined)[]> {
  return knex.transaction(async (trx) => {
    const ready = await lock(trx, due)
    if (ready.length === 0) return due.map(() => undefined)
    const batch = ready.map((n) => {
      const { change, wildcardId } = due[n] as DueChange
      return entryOf(n, change, wildcardId)
    })
    const rows = await query<DomainRow>(trx, WRITE, columnsOf(batch), 'write-addresses')
    await publish(
      trx,
      rows.map(({ zone_id, fqdn }) => ({ zoneId: zone_id, owners: [fqdn] })),
    )
    const written = new Map(rows.map((row) => [row.id, row]))
    return due.map(({ change }) => written.get(change.domainId))
  })
}
