/** Plans and payments in the archive of a person. */
import { Type } from 'typebox'
import { Id, Time } from '../schema.ts'
import { maybeText, maybeTime, rows, text, yesOrNo } from './exported-rows.ts'

const party = {
  first_name: text,
  last_name: text,
  email: text,
  address: text,
  city: text,
  state: text,
  zip_code: text,
  country: text,
}
const line = Type.Object({ description: text, amountCents: Type.Integer() })

export const exportedPayments = {
  plan_grants: rows(
    { source: text, plan: text, until: maybeTime, granted_at: Time },
    'What the plan of the account comes from.',
  ),
  billing_details: rows(
    { ...party, created_at: Time },
    'The billing details of the last checkout.',
  ),
  checkouts: rows(
    { provider: text, plan: text, billing: text, purpose: text, state: text, created_at: Time },
    'Checkouts within the last 30 days.',
  ),
  subscriptions: rows({
    id: Id,
    provider: text,
    provider_id: text,
    plan: text,
    billing: text,
    state: text,
    is_surplus: yesOrNo,
    payment_method: maybeText,
    card_expires_at: maybeTime,
    started_at: maybeTime,
    period_start: maybeTime,
    period_end: maybeTime,
    paid_until: maybeTime,
    ends_at: maybeTime,
    stopped_by: maybeText,
    ended_at: maybeTime,
    end_reason: maybeText,
  }),
  invoices: rows(
    {
      id: Id,
      number: text,
      kind: text,
      status: text,
      provider: text,
      issued_at: Time,
      paid_at: maybeTime,
      total_cents: Type.Integer(),
      tax_cents: Type.Integer(),
      currency: text,
      lines: Type.Array(line),
      ...party,
    },
    'Invoices and credit notes.',
  ),
}
