/** The sums of the entries that match the filter, to compare with the reports of the providers. */
import Paper from '@mui/material/Paper'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider, useListContext } from 'react-admin'
import type { AdminLedgerTotal } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Trouble } from '../../layout/Trouble.tsx'
import { amountText, PROVIDERS } from '../subscriptions/words.ts'
import { KINDS } from './kinds.ts'

type Kind = AdminLedgerTotal['kind']

const COLUMNS = Object.entries(KINDS) as readonly (readonly [Kind, string])[]

const sumOf = (totals: readonly AdminLedgerTotal[]) =>
  totals.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

function TotalsRow({ totals }: { totals: readonly [AdminLedgerTotal, ...AdminLedgerTotal[]] }) {
  const [{ provider, currency }] = totals
  return (
    <tr role="row">
      <td role="cell" data-phone="whole">
        {PROVIDERS[provider]}, {currency}
      </td>
      {COLUMNS.map(([kind, label]) => (
        <td key={kind} role="cell" data-label={label} data-number>
          {amountText(sumOf(totals.filter((each) => each.kind === kind)), currency)}
        </td>
      ))}
      <td role="cell" data-label="Sum" data-number>
        <strong>{amountText(sumOf(totals), currency)}</strong>
      </td>
    </tr>
  )
}

function TotalsTable({ totals }: { readonly totals: readonly AdminLedgerTotal[] }) {
  const rows = Map.groupBy(totals, ({ provider, currency }) => `${provider} ${currency}`)
  return (
    <table role="table" className="records">
      <caption className="visually-hidden">Totals</caption>
      <thead role="rowgroup">
        <tr role="row">
          {['Provider', ...Object.values(KINDS), 'Sum'].map((label, at) => (
            <th key={label} role="columnheader" scope="col" data-number={at > 0}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {[...rows].map(([key, [first, ...others]]) =>
          first === undefined ? null : <TotalsRow key={key} totals={[first, ...others]} />,
        )}
      </tbody>
    </table>
  )
}

export function LedgerTotals() {
  const { filterValues } = useListContext()
  const provider = useDataProvider<AdminDataProvider>()
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', 'totals', filterValues],
    queryFn: () => provider.sumLedger(filterValues),
    placeholderData: (previous) => previous,
    retry: false,
  })
  // The list itself shows a wrong filter, and an empty one.
  if (error === null && (data === undefined || data.length === 0)) return null
  return (
    <Paper className="panel ledger-totals" component="section" aria-label="Totals">
      <h2>Totals</h2>
      {error === null ? (
        <div className="records-frame">
          <TotalsTable totals={data ?? []} />
        </div>
      ) : (
        <Trouble error={error} onRetry={() => void refetch()} />
      )}
    </Paper>
  )
}
