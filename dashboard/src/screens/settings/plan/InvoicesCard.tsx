/** The invoices and credit notes of the account, each with a page to print. */
import { dayText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useQuery } from '@tanstack/react-query'
import { type Invoice, invoicesQuery } from '../../../api/payments.ts'
import { hashOf } from '../../../routes.ts'
import { amountText } from '../../frame/subscription-words.ts'

const STATES: Readonly<Record<Invoice['status'], string>> = {
  open: 'Open',
  paid: 'Paid',
  void: 'Void',
  refunded: 'Refunded',
}

const stateOf = ({ kind, status }: Invoice): string =>
  kind === 'credit_note' ? 'Credit note' : STATES[status]

function Row({ invoice }: { readonly invoice: Invoice }) {
  const { id, number, issuedAt, totalCents, currency } = invoice
  return (
    <tr role="row">
      <th scope="row" role="rowheader">
        <a href={hashOf('invoice', {}, id)}>{number}</a>
      </th>
      <td role="cell">{dayText(issuedAt)}</td>
      <td role="cell">{stateOf(invoice)}</td>
      <td role="cell" className="invoices-amount">
        {amountText(totalCents, currency)}
      </td>
    </tr>
  )
}

/** Accounts without invoices have no card. */
export function InvoicesCard() {
  const { data: invoices, error, refetch } = useQuery(invoicesQuery)
  if (invoices === undefined) {
    return error === null ? null : (
      <Failure
        error={error}
        text={`Failed to load your invoices. ${error.message}`}
        onRetry={() => void refetch()}
      />
    )
  }
  if (invoices.length === 0) return null
  return (
    <section className="card section-card" aria-labelledby="invoices-title">
      <h2 id="invoices-title">Invoices</h2>
      <div className="invoices-frame" tabIndex={0} role="region" aria-labelledby="invoices-title">
        <table className="invoices" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <th scope="col" role="columnheader">
                Number
              </th>
              <th scope="col" role="columnheader">
                Date
              </th>
              <th scope="col" role="columnheader">
                State
              </th>
              <th scope="col" role="columnheader" className="invoices-amount">
                Amount
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
