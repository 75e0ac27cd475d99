/** Invoices and credit notes as this program shows them. */
import type { ApiClient, components } from '@homing/openapi/client'
import { listOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { amount } from './money.ts'
import type { Listing } from './output.ts'
import { day, providerName } from './plans.ts'
import { printable } from './text.ts'

export type Invoice = components['schemas']['Invoice']

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

const kindName = ({ kind }: Invoice) => (kind === 'credit_note' ? 'credit note' : 'invoice')

export const invoiceListing: Listing<Invoice> = {
  columns: [
    { title: 'NUMBER', of: ({ number }) => number },
    { title: 'ISSUED', of: ({ issuedAt }) => day(issuedAt) },
    { title: 'KIND', of: kindName, dropFirst: 2 },
    { title: 'STATE', of: ({ status }) => status },
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

function partyLines({ party }: Invoice): string[] {
  const { firstName, lastName, address, city, state, zipCode, country, email } = party
  const town = [city, state, zipCode].filter((part) => part !== '').join(', ')
  return [`${firstName} ${lastName}`, address, town, countryName(country), email]
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function stateLine(invoice: Invoice): string {
  const { issuedAt, paidAt, status, provider } = invoice
  const paid = paidAt === null ? `state: ${status}` : `paid on ${day(paidAt)}`
  const how = paidAt === null ? '' : ` by ${providerName(provider) ?? ''}`
  return `Issued on ${day(issuedAt)}, ${paid}${how}${status === 'refunded' ? ', refunded' : ''}`
}

/** One invoice as a page of text. Amounts are below one another. */
export function invoiceText(invoice: Invoice): string {
  const { number, lines, totalCents, taxCents, taxRate, currency, correctsNumber } = invoice
  const title = invoice.kind === 'credit_note' ? 'Credit note' : 'Invoice'
  const rows = [
    ...lines.map(({ description, amountCents }) => [description, amountCents] as const),
    ['Total', totalCents] as const,
    [`Tax in it (${taxRate} %)`, taxCents] as const,
  ].map(([text, cents]) => [printable(text), amount(cents, currency)] as const)
  const width = Math.max(...rows.map(([text]) => text.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  return [
    `${title} ${number}`,
    stateLine(invoice),
    ...(correctsNumber === null ? [] : [`Corrects invoice ${correctsNumber}`]),
    '',
    ...partyLines(invoice),
    '',
    ...rows.map(([text, figure]) => `${text.padEnd(width)}  ${figure.padStart(figures)}`),
  ]
    .map(printable)
    .join('\n')
}
