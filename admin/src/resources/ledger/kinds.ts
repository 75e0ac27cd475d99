import type { AdminLedgerEntry } from '../../api/client.ts'

/** The kinds of entries of the ledger in words. */
export const KINDS: Readonly<Record<AdminLedgerEntry['kind'], string>> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
}
