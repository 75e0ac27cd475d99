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
    <tr>
      <th scope="row">
        <a href={hashOf('invoice', {}, id)}>{number}</a>
      </th>
      <td>{dayText(issuedAt)}</td>
      <td>{stateOf(invoice)}</td>
      <td className="invoices-amount">{amountText(totalCents, currency)}</td>
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
        <table className="invoices">
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Date</th>
              <th scope="col">State</th>
              <th scope="col" className="invoices-amount">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
