/** Writes rows of `subscriptions`. The caller holds the locks of the account and of its subscriptions. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { addDuties } from './duties.ts'
import { columnsOf, COLUMNS, keptOf, type SubscriptionRow } from './rows.ts'
import { next } from './state/next.ts'
import type { Fact } from './state/subscription.ts'

type Written = Partial<Omit<SubscriptionRow, 'id' | 'version' | 'payer_digest'>> & {
  /** `\x` and hexadecimal digits. */
  readonly payer_digest?: string | null
}

/** The columns of a new row; `id` and `version` are the database's. */
const NEW = COLUMNS.split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'id' && column !== 'version')

const INSERT = `
  insert into subscriptions (${NEW.join(', ')})
  select ${NEW.map((column) => `r.${column}`).join(', ')} from json_populate_record(null::subscriptions, ?::json) r
  returning ${COLUMNS}`

const UPDATE = `
  update subscriptions s set (${NEW.join(', ')}) =
    (select ${NEW.map((column) => `r.${column}`).join(', ')} from json_populate_record(s, ?::json) r),
    version = s.version + 1
  where id = ? returning ${COLUMNS}`

/** Adds a subscription. */
export async function insertSubscription(
  trx: Knex.Transaction,
  fields: Written,
): Promise<SubscriptionRow> {
  const [row] = await query<SubscriptionRow>(trx, INSERT, [
    JSON.stringify({ mailed: {}, is_surplus: false, ...fields }),
  ])
  if (row === undefined) throw new Error('an inserted subscription has a row')
  return row
}

/** Changes the given columns. */
export async function updateSubscription(
  trx: Knex.Transaction,
  id: string,
  fields: Written,
): Promise<SubscriptionRow> {
  const [row] = await query<SubscriptionRow>(trx, UPDATE, [JSON.stringify(fields), id])
  if (row === undefined) throw new Error('a locked subscription exists')
  return row
}

/** Applies a fact that does not come from a provider, with its duties. @returns the row after it */
export async function applyFact(
  trx: Knex.Transaction,
  row: SubscriptionRow,
  fact: Exclude<Fact, { kind: 'read' }>,
  { now, reason }: { readonly now: Date; readonly reason: string },
): Promise<SubscriptionRow> {
  const before = keptOf(row)
  const { after, duties } = next(before, fact, now)
  await addDuties(trx, row.id, duties, { reason, now })
  return after === before ? row : updateSubscription(trx, row.id, columnsOf(after))
}
