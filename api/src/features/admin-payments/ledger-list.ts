/** The administrators' list of the ledger, and its sums. */
import { type ADMIN_LEDGER_SORT, LEDGER_KINDS, PAYMENT_PROVIDERS } from '@homing/openapi/vocabulary'
import type { AdminLedgerEntry, AdminLedgerTotal } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { LedgerEntry } from '../../models/ledger-entry.ts'
import {
  type Filter,
  filterBy,
  type ListForm,
  oneOf,
  oneWord,
  readList,
} from '../../models/list.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { invalid } from '../../rules/errors.ts'
import { containedIn, type Times } from './list-filters.ts'
import type { Page } from './subscription-list.ts'

/** An ISO 8601 time with its offset. @throws Refusal `validation-failed` */
const atTime = (name: string, sign: '>=' | '<') =>
  filterBy('text', (list, value) => {
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(
      value,
    )
    const time = new Date(isTime ? value : Number.NaN)
    if (Number.isNaN(time.getTime())) {
      const message = `filter.${name} is invalid. Expected a time such as 2026-05-12T08:30:00Z.`
      throw invalid({ field: `filter.${name}`, message })
    }
    void list.where('ledger_entries.happened_at', sign, time)
  })

const LEDGER = {
  sort: {
    id: 'ledger_entries.id',
    happened_at: 'ledger_entries.happened_at',
    amount_cents: 'ledger_entries.amount_cents',
  } satisfies Record<(typeof ADMIN_LEDGER_SORT)[number], string>,
  newestFirst: true,
  filter: {
    q: containedIn('ledger_entries.provider_id', 'invoice.number'),
    id: oneOf('ledger_entries.id'),
    kind: oneWord('kind', 'ledger_entries.kind', LEDGER_KINDS),
    provider: oneWord('provider', 'ledger_entries.provider', PAYMENT_PROVIDERS),
    from: atTime('from', '>='),
    to: atTime('to', '<'),
  },
  keys: ['ledger_entries.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

/** Entries with the numbers of their invoices, which filters use. */
const withInvoices = (knex: Knex) =>
  LedgerEntry.query(knex).leftJoin('invoices as invoice', 'invoice.id', 'ledger_entries.invoice_id')

export type ShownEntry = Times<AdminLedgerEntry, 'happened_at'>

/** Entries as they are shown. */
const shownEntries = (knex: Knex) =>
  withInvoices(knex).select('ledger_entries.*', 'invoice.number as invoice_number')

/** @throws Refusal `validation-failed` for a query that cannot be read */
export async function listLedger(knex: Knex, query: ListQuery): Promise<Page<AdminLedgerEntry>> {
  const request = parseListQuery(query, LEDGER)
  const { rows, total } = await readList<ShownEntry>(shownEntries(knex), LEDGER, request)
  const items = rows.map(({ id, provider, kind, amount_cents, currency, provider_id, ...row }) => ({
    id,
    happened_at: row.happened_at.toISOString(),
    provider,
    kind,
    amount_cents,
    currency,
    provider_id,
    invoice_number: row.invoice_number,
    reason: row.reason,
  }))
  return { items, offset: request.offset, total }
}

type Filtered = Pick<ListQuery, 'filter'>

/** The condition of a filter. @throws Refusal `validation-failed` for a filter that cannot be read */
function narrowed(entries: ReturnType<typeof withInvoices>, { filter }: Filtered) {
  const wanted = parseListQuery(filter === undefined ? {} : { filter }, LEDGER).filter
  for (const [name, condition] of Object.entries<Filter>(LEDGER.filter)) {
    const value = wanted[name as keyof typeof wanted]
    if (value !== undefined) condition.narrow(entries, value)
  }
  return entries
}

/** The entries of a filter, for an export. @throws Refusal `validation-failed` for a filter that cannot be read */
export const filteredEntries = (knex: Knex, query: Filtered) => narrowed(shownEntries(knex), query)

/**
 * The sums of the entries of a filter, by provider, currency and kind.
 *
 * @throws Refusal `validation-failed` for a filter that cannot be read
 */
export async function sumLedger(knex: Knex, query: Filtered): Promise<AdminLedgerTotal[]> {
  const groups = ['ledger_entries.provider', 'ledger_entries.currency', 'ledger_entries.kind']
  return narrowed(withInvoices(knex), query)
    .select(
      ...groups,
      raw('count(*)::int as entries'),
      // An integer below 2^53, which a number holds exactly.
      raw('sum(ledger_entries.amount_cents)::float8 as amount_cents'),
    )
    .groupBy(groups)
    .orderBy(groups.map((column) => ({ column })))
    .toKnexQuery<AdminLedgerTotal>()
}
