/** The ledger as a file, read and written in pages. */
import { csvLine } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import type { ListQuery } from '../../plugins/list-query.ts'
import { filteredEntries, type ShownEntry } from './ledger-list.ts'

const PAGE = 1_000
const COLUMNS = [
  'time',
  'provider',
  'kind',
  'amount',
  'currency',
  'provider_id',
  'invoice_number',
  'reason',
]

/** A row, and its exact time: a `Date` has no microseconds, so it would read the row again. */
type Row = ShownEntry & { readonly exact_time: string }

/** `-110.00`: the reports of providers have decimal numbers too. It is written without a float. */
function decimalAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const csvRow = (row: Row) =>
  csvLine([
    row.happened_at.toISOString(),
    row.provider,
    row.kind,
    decimalAmount(row.amount_cents),
    row.currency,
    row.provider_id,
    row.invoice_number ?? '',
    row.reason ?? '',
  ])

type Read = (after: Row | undefined) => Promise<Row[]>

async function* csvOf(first: readonly Row[], read: Read): AsyncGenerator<string> {
  yield csvLine(COLUMNS)
  for (let page = first; page.length > 0;) {
    yield page.map(csvRow).join('')
    page = page.length < PAGE ? [] : await read(page.at(-1))
  }
}

/**
 * The text of the CSV file (RFC 4180): the entries of a filter, the oldest first. The first page is read before this
 * returns, so a filter that cannot be read is refused before anything was sent.
 *
 * @throws Refusal `validation-failed` for a filter that cannot be read
 */
export async function exportLedger(
  knex: Knex,
  query: Pick<ListQuery, 'filter'>,
): Promise<AsyncGenerator<string>> {
  const read: Read = async (after) => {
    const entries = filteredEntries(knex, query)
      .select(raw('ledger_entries.happened_at::text as exact_time'))
      .orderBy(['ledger_entries.happened_at', 'ledger_entries.id'])
      .limit(PAGE)
    if (after !== undefined) {
      void entries.whereRaw(
        '(ledger_entries.happened_at, ledger_entries.id) > (?::timestamptz, ?::bigint)',
        [after.exact_time, after.id],
      )
    }
    return entries.toKnexQuery<Row>()
  }
  return csvOf(await read(undefined), read)
}
