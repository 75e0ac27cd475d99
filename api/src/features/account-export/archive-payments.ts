/** The parts of the archive about plans and payments. */
import { byId, numbered, type Part } from './archive-part.ts'

const PARTY = `p.first_name, p.last_name, p.email, p.address, p.city, p.state, p.zip_code, p.country`

export const PAYMENTS: readonly Part[] = [
  {
    field: 'plan_grants',
    tables: ['plan_grants'],
    // Without the administrator who granted it: administrators are people, too.
    sql: byId('x.source, x.plan, x.until, x.granted_at', 'plan_grants x'),
  },
  {
    field: 'billing_details',
    tables: ['account_billing', 'billing_parties'],
    sql: numbered(
      'first_name, last_name, email, address, city, state, zip_code, country, created_at',
      `(select b.user_id, ${PARTY}, p.created_at from account_billing b join billing_parties p on p.id = b.party_id) as mine`,
      'user_id',
      'created_at',
    ),
  },
  {
    field: 'checkouts',
    tables: ['checkouts', 'plan_prices'],
    sql: numbered(
      'provider, plan, billing, purpose, state, created_at',
      `(select c.user_id, c.provider, p.plan, p.billing, c.purpose, c.state, c.created_at
        from checkouts c join plan_prices p on p.id = c.price_id) as mine`,
      'user_id',
      'created_at',
    ),
  },
  {
    field: 'subscriptions',
    tables: ['subscriptions'],
    sql: byId(
      `x.id, x.provider, x.provider_id, p.plan, p.billing, x.state, x.is_surplus, x.payment_method, x.card_expires_at,
       x.started_at, x.period_start, x.period_end, x.paid_until, x.ends_at, x.stopped_by, x.ended_at, x.end_reason`,
      'subscriptions x join plan_prices p on p.id = x.price_id',
    ),
  },
  {
    field: 'invoices',
    tables: ['invoices', 'invoice_accounts'],
    sql: byId(
      `x.id, x.number, x.kind, x.status, x.provider, x.issued_at, x.paid_at, x.total_cents, x.tax_cents, x.currency, x.lines,
       x.first_name, x.last_name, x.email, x.address, x.city, x.state, x.zip_code, x.country`,
      `(select a.user_id, i.*, ${PARTY} from invoice_accounts a join invoices i on i.id = a.invoice_id
        join billing_parties p on p.id = i.party_id) as x`,
    ),
  },
]
