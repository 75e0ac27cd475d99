/** The invoices and credit notes of an account, with everything that is printed on them. */
import type { Invoice } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'

interface InvoiceRow {
  readonly id: string
  readonly number: string
  readonly kind: Invoice['kind']
  readonly status: Invoice['status']
  readonly provider: Invoice['provider']
  readonly issued_at: Date
  readonly paid_at: Date | null
  readonly total_cents: number
  readonly tax_cents: number
  readonly tax_basis_points: number
  readonly currency: string
  readonly lines: Invoice['lines']
  readonly party: Invoice['party']
  readonly corrects: string | null
}

/** More than an account gets in the time for which invoices are kept. */
const LIMIT = 1_000

const INVOICES = `
  select i.id, i.number, i.kind, i.status, i.provider, i.issued_at, i.paid_at, i.total_cents, i.tax_cents,
    i.tax_basis_points, i.currency, i.lines, corrected.number as corrects,
    json_build_object('firstName', p.first_name, 'lastName', p.last_name, 'email', p.email, 'address', p.address,
      'city', p.city, 'state', p.state, 'zipCode', p.zip_code, 'country', p.country) as party
  from invoice_accounts a join invoices i on i.id = a.invoice_id join billing_parties p on p.id = i.party_id
  left join invoices corrected on corrected.id = i.corrects_id
  where a.user_id = ? order by i.issued_at desc, i.id desc limit ${LIMIT}`

/** The newest first. */
export async function listInvoices(knex: Knex, userId: string): Promise<Invoice[]> {
  const rows = await query<InvoiceRow>(knex, INVOICES, [userId])
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    kind: row.kind,
    status: row.status,
    provider: row.provider,
    issuedAt: row.issued_at.toISOString(),
    paidAt: row.paid_at?.toISOString() ?? null,
    totalCents: row.total_cents,
    taxCents: row.tax_cents,
    taxRate: row.tax_basis_points / 100,
    currency: row.currency,
    lines: row.lines,
    party: row.party,
    correctsNumber: row.corrects,
  }))
}
