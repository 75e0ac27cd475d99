/**
 * The books of a payment provider: every movement of money, as its reports of balance transactions have it.
 *
 * Amounts are integer cents before the provider's fee. The sum of a test's ledger must equal the sum here.
 */

export type BookKind = 'payment' | 'refund' | 'dispute' | 'dispute_won'

export interface BookEntry {
  /** Of the balance transaction. */
  readonly id: string
  readonly kind: BookKind
  /** Positive for what the merchant receives. */
  readonly amountCents: number
  readonly feeCents: number
  readonly currency: string
  /** The charge, capture, refund or dispute. */
  readonly source: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export class Books {
  readonly entries: BookEntry[] = []

  add(entry: BookEntry): void {
    const isIncome = entry.kind === 'payment' || entry.kind === 'dispute_won'
    if (!Number.isSafeInteger(entry.amountCents) || entry.amountCents > 0 !== isIncome)
      throw new Error(`${entry.kind} of ${entry.amountCents} cents has the wrong sign.`)
    this.entries.push(entry)
  }

  /** The sum in cents before fees. */
  sumCents(currency = 'usd'): number {
    return this.of(currency).reduce((sum, { amountCents }) => sum + amountCents, 0)
  }

  /** Kind, source and amount of each entry, sorted: equal books have equal lines. */
  lines(currency = 'usd'): string[] {
    return this.of(currency)
      .map(({ kind, source, amountCents }) => `${kind} ${source} ${amountCents}`)
      .sort()
  }

  of(currency: string): BookEntry[] {
    return this.entries.filter((entry) => entry.currency === currency.toLowerCase())
  }
}
