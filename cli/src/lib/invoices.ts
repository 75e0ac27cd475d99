/** Invoices and credit notes as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf, listOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { amount } from './money.ts'
import type { Listing } from './output.ts'
import { day, providerName } from './plans.ts'
import { printable } from './text.ts'

export type Invoice = components['schemas']['Invoice']
type Operator = components['schemas']['ServiceOperator']

export const INVOICE_FIELDS = [
  'id',
  'number',
  'kind',
  'status',
  'provider',
  'issuedAt',
  'paidAt',
  'totalCents',
  'taxCents',
  'taxRate',
  'currency',
  'lines',
  'party',
  'correctsNumber',
] as const satisfies readonly (keyof Invoice)[]

/** @throws CommandFailure */
export const readInvoices = async (api: ApiClient): Promise<Invoice[]> =>
  listOf(await api.GET('/api/payments/invoices'), 'number', 'lines', 'party')

/** The seller. Without a name, it has the host name of the service. @throws CommandFailure */
export async function readSeller(api: ApiClient, server: string): Promise<Operator> {
  const operator = bodyOf(await api.GET('/api/operator'), 'support_email')
  return { ...operator, name: operator.name ?? new URL(server).host }
}

/** @throws CommandFailure if the account has no such invoice */
export async function findInvoice(api: ApiClient, number: string): Promise<Invoice> {
  const wanted = number.toUpperCase()
  const found = (await readInvoices(api)).find((invoice) => invoice.number.toUpperCase() === wanted)
  if (found !== undefined) return found
  throw new CommandFailure(
    EXIT.notFound,
    `You have no invoice ${printable(number)}. List them: homing plan invoices`,
  )
}

/** The money of a credit note was paid to the customer. */
const stateName = ({ kind, status }: Invoice) =>
  kind === 'credit_note' && status === 'paid' ? 'refunded' : status

const kindName = ({ kind }: Invoice) => (kind === 'credit_note' ? 'credit note' : 'invoice')

export const invoiceListing: Listing<Invoice> = {
  columns: [
    { title: 'NUMBER', of: ({ number }) => number },
    { title: 'ISSUED', of: ({ issuedAt }) => day(issuedAt) },
    { title: 'KIND', of: kindName, dropFirst: 2 },
    { title: 'STATE', of: stateName },
    { title: 'TOTAL', of: ({ totalCents, currency }) => amount(totalCents, currency) },
    { title: 'BY', of: ({ provider }) => providerName(provider) ?? '', dropFirst: 1 },
  ],
  fields: (invoice) => [
    invoice.number,
    invoice.issuedAt,
    invoice.kind,
    invoice.status,
    invoice.totalCents,
    invoice.currency,
    invoice.provider,
  ],
}

/** The name of a country, or its code if it has none. */
function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

const linesOf = (texts: readonly (string | null)[]): string[] =>
  texts.map((text) => (text ?? '').trim()).filter((text) => text !== '')

const sellerLines = ({ name, address, support_email }: Operator): string[] =>
  linesOf([name, address, support_email])

function partyLines({ party }: Invoice): string[] {
  const { firstName, lastName, address, city, state, zipCode, country, email } = party
  const town = [city, state, zipCode].filter((part) => part !== '').join(', ')
  return linesOf([`${firstName} ${lastName}`, address, town, countryName(country), email])
}

function stateText({ kind, status, paidAt, provider }: Invoice): string {
  if (status === 'void') return 'void: nothing has to be paid'
  if (kind === 'credit_note') return `refunded${paidAt === null ? '' : ` on ${day(paidAt)}`}`
  const paid = paidAt === null ? [] : [`paid on ${day(paidAt)} by ${providerName(provider) ?? ''}`]
  if (status === 'refunded') return [...paid, 'refunded'].join(', ')
  return status === 'paid' ? (paid[0] ?? 'paid') : 'not paid yet'
}

/** Each line, and then the total with the tax that it includes. */
function amountRows({ lines, totalCents, taxCents, taxRate, currency }: Invoice) {
  const tax =
    taxCents === 0
      ? []
      : ([
          ['Without tax', totalCents - taxCents],
          [`Tax (${taxRate}%)`, taxCents],
        ] as const)
  return [
    ...lines.map(({ description, amountCents }) => [description, amountCents] as const),
    ...tax,
    ['Total', totalCents] as const,
  ].map(([text, cents]) => [printable(text), amount(cents, currency)] as const)
}

/** One invoice as a page of text, in the order of the page to print. Amounts are below one another. */
export function invoiceText(invoice: Invoice, seller: Operator): string {
  const { number, correctsNumber } = invoice
  const title = invoice.kind === 'credit_note' ? 'Credit note' : 'Invoice'
  const rows = amountRows(invoice)
  const width = Math.max(...rows.map(([text]) => text.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  return [
    `${title} ${number}`,
    `Issued on ${day(invoice.issuedAt)}, ${stateText(invoice)}`,
    ...(correctsNumber === null ? [] : [`Corrects invoice ${correctsNumber}`]),
    '',
    'From',
    ...sellerLines(seller),
    '',
    'Billed to',
    ...partyLines(invoice),
    '',
    ...rows.map(([text, figure]) => `${text.padEnd(width)}  ${figure.padStart(figures)}`),
  ]
    .map(printable)
    .join('\n')
}
