/** Entries of the ledger (table `ledger_entries`), for lists. `payments` writes all entries of an invoice at once. */
import type { LedgerKind, PaymentProvider } from '@homing/openapi/vocabulary'
import { bigint, integer, nullable, text, textOf, timestamptz } from './columns.ts'
import { table } from './table.ts'

export class LedgerEntry extends table('ledger_entries', {
  id: bigint,
  happened_at: timestamptz,
  provider: textOf<PaymentProvider>(),
  kind: textOf<LedgerKind>(),
  /** Positive: received. Negative: paid back. */
  amount_cents: integer,
  currency: text,
  provider_id: text,
  invoice_id: nullable(bigint),
  reason: nullable(text),
}) {}
