/**
 * Stores events of the providers. They come in bursts: a renewal has ten of them, and all renewals of a day can come at
 * once. One transaction for each event would make updates of addresses wait for its flush to disk, so events that come
 * together share one. An event is answered once it is durable.
 */
import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { BatchedQuery } from '../database/batched-query.ts'
import { query } from '../database/sql.ts'
import type { ProviderEvent, ProviderName } from './provider.ts'

/** Providers wait for seconds. A single event does not wait. */
const APART_MS = 20

// An event that occurs twice in a batch is stored once.
const RECORD = `
  insert into payment_events (provider, event_id, type, object_id, object_kind, state, received_at, due_at, applied_at)
  select provider, event_id, type, object_id, object_kind, state, received_at, received_at,
         case when state = 'ignored' then received_at end
  from json_to_recordset(?::json) as e(
    provider text, event_id text, type text, object_id text, object_kind text, state text, received_at timestamptz)
  on conflict (provider, event_id) do nothing returning provider, event_id`

/** A row of `payment_events`. */
interface NewEvent {
  readonly provider: ProviderName
  readonly event_id: string
  readonly type: string
  readonly object_id: string | null
  readonly object_kind: string | null
  readonly state: 'pending' | 'ignored'
  readonly received_at: Date
}

type EventKey = Pick<NewEvent, 'provider' | 'event_id'>

const keyOf = ({ provider, event_id }: EventKey) => `${provider} ${event_id}`

/** SQLSTATE classes that blame a value: data, constraint. */
const blamesValues = (error: unknown): boolean =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')

type Outcome = { readonly isNew: boolean } | { readonly error: unknown }

/** Stores events. A value that PostgreSQL refuses fails its own event only. */
async function record(knex: Knex, events: readonly NewEvent[]): Promise<Outcome[]> {
  try {
    const values = [JSON.stringify(events)]
    const rows = await query<EventKey>(knex, RECORD, values, 'record-payment-events')
    const stored = new Set(rows.map(keyOf))
    return events.map((event) => ({ isNew: stored.delete(keyOf(event)) }))
  } catch (error) {
    if (!blamesValues(error)) throw error
    if (events.length === 1) return [{ error }]
    const outcomes: Outcome[] = []
    for (const event of events) outcomes.push(...(await record(knex, [event])))
    return outcomes
  }
}

type Batches = BatchedQuery<NewEvent, Outcome>

/** For each database. */
const batches = new WeakMap<Knex, Batches>()

function batchesOf(knex: Knex): Batches {
  const known = batches.get(knex)
  if (known !== undefined) return known
  const added: Batches = new BatchedQuery(async (events) => record(knex, events), APART_MS)
  batches.set(knex, added)
  return added
}

/** Stores a verified event. @returns whether it is new */
export async function recordEvent(
  { knex, now }: { readonly knex: Knex; readonly now: () => Date },
  provider: ProviderName,
  { id, type, objectId, objectKind }: ProviderEvent,
): Promise<boolean> {
  const isRead = objectId !== null && objectKind !== null
  const outcome = await batchesOf(knex).ask({
    provider,
    event_id: id,
    type,
    object_id: objectId,
    object_kind: objectKind,
    state: isRead ? 'pending' : 'ignored',
    received_at: now(),
  })
  if ('error' in outcome) throw outcome.error
  return outcome.isNew
}
