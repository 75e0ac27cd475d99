/** The ledger: what was received and paid back, at all providers. Its sum equals the books of the providers. */
import { timeText } from '@homing/theme/formats'
import type { AdminLedgerEntry } from '../../api/client.ts'
import { Choice, Filters, SearchField, useFilter } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { amountText, choicesOf, PROVIDERS } from '../subscriptions/words.ts'
import { ExportButton } from './ExportButton.tsx'
import { KINDS } from './kinds.ts'
import { LedgerTotals } from './LedgerTotals.tsx'

const COLUMNS: readonly Column<AdminLedgerEntry>[] = [
  {
    field: 'happened_at',
    // As in the filter of the days, in the file, and in the reports of the providers.
    label: 'Time (UTC)',
    isSortable: true,
    cell: ({ happened_at }) => <time dateTime={happened_at}>{timeText(happened_at, 'UTC')}</time>,
  },
  { field: 'kind', label: 'Kind', phone: 'corner', cell: ({ kind }) => KINDS[kind] },
  {
    field: 'amount_cents',
    label: 'Amount',
    isNumber: true,
    isSortable: true,
    cell: ({ amount_cents, currency }) => amountText(amount_cents, currency),
  },
  { field: 'provider', label: 'Provider', cell: ({ provider }) => PROVIDERS[provider] },
  {
    field: 'provider_id',
    label: 'Id at the provider',
    cell: ({ provider_id }) => <span className="monospace breakable">{provider_id}</span>,
  },
  {
    field: 'invoice_number',
    label: 'Invoice',
    cell: ({ invoice_number }) => invoice_number ?? <span className="muted">–</span>,
  },
  {
    field: 'reason',
    label: 'Reason',
    cell: ({ reason }) =>
      reason === null ? (
        <span className="muted">–</span>
      ) : (
        <span className="breakable">{reason}</span>
      ),
  },
]

/** A day of the filter. @param props.field a time in the filter of the API */
function DayField({ label, field }: { label: string; field: 'from' | 'to' }) {
  const { filter, change } = useFilter()
  const time = filter[field]
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        type="date"
        value={typeof time === 'string' ? time.slice(0, 10) : ''}
        onChange={({ target: { value } }) =>
          change({ [field]: value === '' ? undefined : `${value}T00:00:00.000Z` })
        }
      />
    </label>
  )
}

export function LedgerList() {
  return (
    <ListPage
      resource="ledger"
      title="Ledger"
      sort={{ field: 'happened_at', order: 'DESC' }}
      columns={COLUMNS}
      empty="Nothing was received or paid back."
      action={<ExportButton />}
    >
      <Filters>
        <SearchField label="Search id or invoice" />
        <Choice label="Kind" field="kind" all="All kinds" choices={choicesOf(KINDS)} />
        <Choice
          label="Provider"
          field="provider"
          all="All providers"
          choices={choicesOf(PROVIDERS)}
        />
        <DayField label="From (UTC)" field="from" />
        <DayField label="Before (UTC)" field="to" />
      </Filters>
      <LedgerTotals />
    </ListPage>
  )
}
