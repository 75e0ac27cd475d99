/** One invoice or credit note, as it is printed: `#invoice/17`. */
import { dayText } from '@homing/theme/formats'
import { Message } from '@homing/theme/parts/Message.tsx'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { operatorQuery } from '../../api/operator.ts'
import { type BillingDetails, type Invoice, invoicesQuery } from '../../api/payments.ts'
import { useSession } from '../../api/session.ts'
import { countryName } from '../../components/country-name.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { amountText } from '../frame/subscription-words.ts'
import '../../components/section.css'
import './invoice.css'

const KINDS: Readonly<Record<Invoice['kind'], string>> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
}
const PROVIDERS: Readonly<Record<Invoice['provider'], string>> = {
  stripe: 'Card (Stripe)',
  paypal: 'PayPal',
}

function statusText({ kind, status, paidAt }: Invoice): string {
  if (status === 'void') return 'Void: nothing has to be paid'
  if (kind === 'credit_note') return 'Refunded'
  const paid = paidAt === null ? '' : `Paid on ${dayText(paidAt)}`
  if (status === 'refunded') return `${paid}, refunded`.replace(/^, r/, 'R')
  return status === 'paid' ? paid || 'Paid' : 'Not paid yet'
}

function Party({ party }: { readonly party: BillingDetails }) {
  const lines = [
    `${party.firstName} ${party.lastName}`,
    party.address,
    [party.city, party.state, party.zipCode].filter(Boolean).join(', '),
    countryName(party.country),
    party.email,
  ]
  return (
    <section aria-labelledby="invoice-to">
      <h2 id="invoice-to">Billed to</h2>
      <address>
        {lines
          .filter((line) => line.trim() !== '')
          .map((line) => (
            <span key={line}>{line}</span>
          ))}
      </address>
    </section>
  )
}

/** The operator. Without details, the origin of the service names it. */
function Seller() {
  const { data: operator } = useQuery(operatorQuery)
  if (operator === undefined) return null
  const lines = [operator.name ?? location.host, operator.address, operator.support_email]
  return (
    <section aria-labelledby="invoice-from">
      <h2 id="invoice-from">From</h2>
      <address>
        {lines
          .filter((line) => line !== null)
          .map((line) => (
            <span key={line}>{line}</span>
          ))}
      </address>
    </section>
  )
}

function Lines({ invoice }: { readonly invoice: Invoice }) {
  const { lines, totalCents, taxCents, taxRate, currency } = invoice
  const amount = (cents: number) => amountText(cents, currency)
  return (
    <table className="invoice-lines">
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ description, amountCents }, place) => (
          <tr key={`${place} ${description}`}>
            <td>{description}</td>
            <td>{amount(amountCents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {taxCents !== 0 && (
          <>
            <tr>
              <th scope="row">Without tax</th>
              <td>{amount(totalCents - taxCents)}</td>
            </tr>
            <tr>
              <th scope="row">Tax ({taxRate}%)</th>
              <td>{amount(taxCents)}</td>
            </tr>
          </>
        )}
        <tr className="invoice-total">
          <th scope="row">Total</th>
          <td>{amount(totalCents)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function InvoicePage({ invoice }: { readonly invoice: Invoice }) {
  const { kind, number, issuedAt, provider, correctsNumber, party } = invoice
  const facts = [
    ['Number', number],
    ['Date', dayText(issuedAt)],
    ['Status', statusText(invoice)],
    ['Payment method', PROVIDERS[provider]],
    ...(correctsNumber === null ? [] : [['Corrects', correctsNumber]]),
  ] as const
  return (
    <article className="card invoice">
      <div className="invoice-head">
        <ScreenTitle title={`${KINDS[kind]} ${number}`}>{KINDS[kind]}</ScreenTitle>
        <Button className="invoice-print" variant="outlined" onClick={() => print()}>
          Print or Save as PDF
        </Button>
      </div>
      <dl className="invoice-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="invoice-parties">
        <Seller />
        <Party party={party} />
      </div>
      <Lines invoice={invoice} />
    </article>
  )
}

function NoInvoice() {
  return (
    <>
      <ScreenTitle title="Invoice not found" />
      <Message tone="error">
        <p>Your account has no such invoice.</p>
      </Message>
    </>
  )
}

export default function InvoiceScreen({ place: { argument } }: ScreenProps) {
  const { user } = useSession()
  const query = useQuery(invoicesQuery)
  if (user === undefined) return null
  return (
    <>
      <AppHeader screen="invoice" />
      <main tabIndex={-1} className="page invoice-page">
        <p className="invoice-back">
          <a className="section-link" href={hashOf('settings', {}, 'plan')}>
            Back to your plan
          </a>
        </p>
        <Loaded query={query}>
          {(invoices) => {
            const invoice = invoices.find(({ id }) => id === argument)
            return invoice === undefined ? <NoInvoice /> : <InvoicePage invoice={invoice} />
          }}
        </Loaded>
      </main>
      <SiteFooter />
    </>
  )
}
