/**
 * A payment provider in memory, with books of its own and faults. It behaves as Stripe or as PayPal where they differ: a
 * cancellation is a date at Stripe, and a suspension at PayPal.
 */
import {
  ForgedEvent,
  type NewProviderCheckout,
  type NewRefund,
  type ObjectKind,
  type PaymentProvider,
  type ProviderEvent,
  type ProviderName,
  ProviderTrouble,
  type ReadBookEntry,
  type ReadCheckout,
  type ReadDispute,
  type ReadInvoice,
  type ReadRefund,
  type ReadSubscription,
  type WantedPrice,
} from '../../src/payments/provider.ts'

type Changing<T> = { -readonly [K in keyof T]: T[K] }
type OwnInvoice = Changing<Omit<ReadInvoice, 'refunds' | 'disputes'>> & {
  refunds: Changing<ReadRefund>[]
  disputes: Changing<ReadDispute>[]
}
type OwnSubscription = Changing<Omit<ReadSubscription, 'invoices' | 'readAt'>> & {
  invoices: OwnInvoice[]
}

/** What happens to the next calls. `lost`: it is done, and the answer does not arrive. */
export type Fault = 'down' | 'lost'

const MONTH_MS = 30 * 86_400_000

export class MemoryProvider implements PaymentProvider {
  readonly name: ProviderName
  readonly realm = 'memory'
  readonly isTest = true
  readonly books: ReadBookEntry[] = []
  /** Events that were sent, the oldest first. */
  readonly events: ProviderEvent[] = []
  /** How often each kind of call changed something. */
  readonly acted: Record<string, number> = {}
  /** Faults of the next calls; null: a call succeeds. */
  readonly faults: (Fault | null)[] = []
  isDown = false
  readonly #now: () => Date
  readonly #subscriptions = new Map<string, OwnSubscription>()
  readonly #checkouts = new Map<string, NewProviderCheckout & { subscriptionId: string | null }>()
  readonly #done = new Map<string, unknown>()
  readonly #amounts = new Map<string, number>()
  #count = 0

  constructor(name: ProviderName, now: () => Date) {
    this.name = name
    this.#now = now
  }

  #id(kind: string): string {
    this.#count += 1
    return `${kind}_${this.name}_${this.#count}`
  }

  #tell(type: string, objectKind: ObjectKind, objectId: string): void {
    this.events.push({ id: this.#id('evt'), type, objectId, objectKind, createdAt: this.#now() })
  }

  /** As providers do after some days. */
  forgetKeys(): void {
    this.#done.clear()
  }

  subscription(id: string): OwnSubscription {
    const found = this.#subscriptions.get(id)
    if (found === undefined) throw new Error(`no subscription ${id}`)
    return found
  }

  /** A call to the provider, with its faults; with a key, it acts once. */
  async #call<T>(kind: string, act: () => T, key?: string): Promise<T> {
    const fault = this.isDown ? 'down' : this.faults.shift()
    if (fault === 'down') throw new ProviderTrouble(this.name, 'unavailable', 'HTTP 503')
    if (key !== undefined && this.#done.has(key)) return this.#done.get(key) as T
    const result = act()
    if (key !== undefined) {
      this.acted[kind] = (this.acted[kind] ?? 0) + 1
      this.#done.set(key, result)
    }
    if (fault === 'lost') throw new ProviderTrouble(this.name, 'unknown', 'no answer within 20 s')
    return result
  }

  // What payers, cards and the provider itself do.

  /** The payer completes a checkout. @returns the subscription */
  pay(checkoutId: string, priceProviderId: string, options: { startsAt?: Date } = {}): string {
    const at = this.#now()
    const startsAt = options.startsAt ?? null
    const id = this.#id('sub')
    this.#subscriptions.set(id, {
      provider: this.name,
      providerId: id,
      customerId: `cus_${id}`,
      checkoutId,
      priceProviderId,
      nextPriceProviderId: null,
      standing: 'running',
      providerStatus: this.name === 'stripe' ? 'active' : 'ACTIVE',
      startedAt: at,
      startsAt,
      periodStart: at,
      periodEnd: startsAt ?? new Date(at.getTime() + MONTH_MS),
      cancelAt: null,
      endedAt: null,
      firstFailedAt: null,
      payer: `payer_${checkoutId}`,
      paymentMethod: 'Visa ending in 4242',
      cardExpiresAt: null,
      billingDetails: null,
      invoices: [],
    })
    if (startsAt === null) this.#charge(id, 'first')
    for (const [session, checkout] of this.#checkouts)
      if (checkout.checkoutId === checkoutId) {
        checkout.subscriptionId = id
        this.#tell('checkout.completed', 'checkout', session)
      }
    this.#tell('subscription.created', 'subscription', id)
    return id
  }

  #charge(id: string, kind: ReadInvoice['kind']): OwnInvoice {
    const subscription = this.subscription(id)
    const invoice = this.#open(subscription, kind)
    this.#settle(invoice)
    return invoice
  }

  #open(subscription: OwnSubscription, kind: ReadInvoice['kind']): OwnInvoice {
    const totalCents = this.#amounts.get(subscription.priceProviderId ?? '') ?? 1_000
    const invoice: OwnInvoice = {
      id: this.#id('in'),
      kind,
      status: 'open',
      totalCents,
      currency: 'USD',
      issuedAt: this.#now(),
      paidAt: null,
      periodStart: subscription.periodStart,
      periodEnd: subscription.periodEnd,
      lines: [{ description: 'A plan', amountCents: totalCents }],
      paymentId: null,
      paidCents: 0,
      refunds: [],
      disputes: [],
      hostedUrl: null,
    }
    subscription.invoices.push(invoice)
    return invoice
  }

  #settle(invoice: OwnInvoice): void {
    invoice.status = 'paid'
    invoice.paidAt = this.#now()
    invoice.paidCents = invoice.totalCents
    invoice.paymentId = this.#id('py')
    this.#book('payment', invoice.paymentId, invoice.totalCents)
    this.#tell('invoice.paid', 'invoice', invoice.id)
  }

  #book(kind: ReadBookEntry['kind'], providerId: string, amountCents: number): void {
    const currency = 'USD'
    this.books.push({ kind, providerId, amountCents, currency, happenedAt: this.#now() })
  }

  /** The next period begins; its payment succeeds or fails. A subscription that does not renew ends (Stripe). */
  renew(id: string, isPaid = true): void {
    const subscription = this.subscription(id)
    if (subscription.standing !== 'running') return
    if (subscription.cancelAt !== null) {
      this.#end(subscription)
      return
    }
    const from = subscription.periodEnd ?? this.#now()
    subscription.periodStart = from
    subscription.periodEnd = new Date(from.getTime() + MONTH_MS)
    const invoice = this.#open(subscription, 'renewal')
    if (isPaid) {
      this.#settle(invoice)
      return
    }
    subscription.standing = 'unpaid'
    subscription.providerStatus = 'past_due'
    subscription.firstFailedAt = this.#now()
    this.#tell('invoice.payment_failed', 'invoice', invoice.id)
  }

  /** The missing payment arrives. */
  recover(id: string): void {
    const subscription = this.subscription(id)
    const open = subscription.invoices.find(({ status }) => status === 'open')
    if (subscription.standing !== 'unpaid' || open === undefined) return
    subscription.standing = 'running'
    subscription.providerStatus = 'active'
    subscription.firstFailedAt = null
    this.#settle(open)
  }

  /** Another price, at once. */
  reprice(id: string, priceProviderId: string): void {
    this.subscription(id).priceProviderId = priceProviderId
    this.#tell('subscription.updated', 'subscription', id)
  }

  /** The owner stops or resumes the renewal at the provider's own page. */
  stopThere(id: string): void {
    this.#stop(this.subscription(id))
  }

  resumeThere(id: string): void {
    this.#resume(this.subscription(id))
  }

  /** Somebody ends it at the provider. */
  endThere(id: string): void {
    this.#end(this.subscription(id))
  }

  #stop(subscription: OwnSubscription): void {
    if (subscription.standing === 'ended') return
    if (this.name === 'stripe') subscription.cancelAt = subscription.periodEnd
    else if (subscription.standing === 'running') {
      subscription.standing = 'paused'
      subscription.providerStatus = 'SUSPENDED'
    }
    this.#tell('subscription.updated', 'subscription', subscription.providerId)
  }

  #resume(subscription: OwnSubscription): void {
    subscription.cancelAt = null
    if (subscription.standing === 'paused') {
      subscription.standing = 'running'
      subscription.providerStatus = 'ACTIVE'
    }
    this.#tell('subscription.updated', 'subscription', subscription.providerId)
  }

  #end(subscription: OwnSubscription): void {
    if (subscription.standing === 'ended') return
    subscription.standing = 'ended'
    subscription.providerStatus = 'canceled'
    subscription.endedAt = this.#now()
    for (const invoice of subscription.invoices)
      if (invoice.status === 'open') invoice.status = 'void'
    this.#tell('subscription.deleted', 'subscription', subscription.providerId)
  }

  /** The provider's own staff refunds the latest payment. */
  refundThere(id: string, amountCents?: number): void {
    const paid = this.subscription(id).invoices.findLast(({ status }) => status === 'paid')
    if (paid === undefined) return
    const refunded = paid.refunds.reduce((sum, each) => sum + each.amountCents, 0)
    const left = Math.min(amountCents ?? paid.paidCents, paid.paidCents - refunded)
    if (left > 0) this.#refund(paid, left)
  }

  #refund(invoice: OwnInvoice, amountCents: number): ReadRefund {
    const before = invoice.refunds.reduce((sum, each) => sum + each.amountCents, 0)
    if (before + amountCents > invoice.paidCents) {
      throw new ProviderTrouble(this.name, 'refused', 'more than was paid', { code: 'amount' })
    }
    const refund = { id: this.#id('re'), amountCents, at: this.#now(), hasSucceeded: true }
    invoice.refunds.push(refund)
    this.#book('refund', refund.id, -amountCents)
    this.#tell('charge.refunded', 'payment', invoice.paymentId ?? '')
    return refund
  }

  /** The payer disputes the latest payment. */
  dispute(id: string): void {
    const paid = this.subscription(id).invoices.findLast(({ status }) => status === 'paid')
    if (paid === undefined || paid.refunds.length > 0 || paid.disputes.length > 0) return
    const dispute: Changing<ReadDispute> = {
      id: this.#id('dp'),
      status: 'open',
      amountCents: paid.paidCents,
      openedAt: this.#now(),
      closedAt: null,
      isWithdrawn: true,
      returned: null,
    }
    paid.disputes.push(dispute)
    this.#book('dispute', dispute.id, -paid.paidCents)
    this.#tell('dispute.created', 'dispute', dispute.id)
  }

  decide(id: string, status: 'won' | 'lost'): void {
    for (const { disputes } of this.subscription(id).invoices)
      for (const dispute of disputes) {
        if (dispute.status !== 'open') continue
        dispute.status = status
        dispute.closedAt = this.#now()
        if (status === 'won') {
          dispute.returned = { amountCents: dispute.amountCents, at: this.#now() }
          this.#book('dispute_won', dispute.id, dispute.amountCents)
        }
        this.#tell('dispute.closed', 'dispute', dispute.id)
      }
  }

  // The interface.

  async createCheckout(order: NewProviderCheckout) {
    return this.#call(
      'checkout',
      () => {
        const providerId = this.#id('cs')
        this.#checkouts.set(providerId, { ...order, subscriptionId: null })
        return { providerId, url: `https://pay.test/${providerId}` }
      },
      order.checkoutId,
    )
  }

  async readCheckout(providerId: string): Promise<ReadCheckout | undefined> {
    return this.#call('read', () => {
      const checkout = this.#checkouts.get(providerId)
      if (checkout === undefined) return undefined
      const { checkoutId, subscriptionId } = checkout
      return { state: subscriptionId === null ? 'open' : 'completed', checkoutId, subscriptionId }
    })
  }

  async expireCheckout(providerId: string, key: string): Promise<void> {
    await this.#call('expire', () => this.#checkouts.delete(providerId), key)
  }

  async read(subscriptionId: string): Promise<ReadSubscription | undefined> {
    const readAt = this.#now()
    return this.#call('read', () => {
      const found = this.#subscriptions.get(subscriptionId)
      return found && { ...structuredClone(found), readAt }
    })
  }

  async subscriptionOf(kind: ObjectKind, objectId: string): Promise<string | undefined> {
    return this.#call('find', () => {
      const found = [...this.#subscriptions.values()].find(({ invoices }) =>
        invoices.some(
          ({ id, paymentId, refunds, disputes }) =>
            [id, paymentId].includes(objectId) ||
            [...refunds, ...disputes].some((each) => each.id === objectId),
        ),
      )
      return kind === 'subscription' ? objectId : found?.providerId
    })
  }

  async cancelAtPeriodEnd(id: string, key: string): Promise<void> {
    await this.#call('cancel', () => this.#stop(this.subscription(id)), key)
  }

  async resume(id: string, key: string): Promise<void> {
    await this.#call('resume', () => this.#resume(this.subscription(id)), key)
  }

  async endNow(id: string, key: string): Promise<void> {
    await this.#call('end', () => this.#end(this.subscription(id)), key)
  }

  async previewChange(): Promise<never> {
    throw new Error('tests of the handlers have a provider of their own')
  }

  async changePrice(): Promise<never> {
    throw new Error('tests of the handlers have a provider of their own')
  }

  async forgetChange(): Promise<never> {
    throw new Error('tests of the handlers have a provider of their own')
  }

  async paymentMethodPage(): Promise<string> {
    return 'https://pay.test/portal'
  }

  async refund({ paymentId, amountCents }: NewRefund, key: string): Promise<ReadRefund> {
    return this.#call(
      'refund',
      () => {
        const invoice = [...this.#subscriptions.values()]
          .flatMap(({ invoices }) => invoices)
          .find((each) => each.paymentId === paymentId)
        if (invoice === undefined) throw new ProviderTrouble(this.name, 'refused', 'no payment')
        return this.#refund(invoice, amountCents)
      },
      key,
    )
  }

  async listPayments(from: Date, to: Date): Promise<readonly ReadBookEntry[]> {
    return this.books.filter(({ happenedAt }) => happenedAt >= from && happenedAt < to)
  }

  async verifyEvent(): Promise<never> {
    throw new ForgedEvent('this provider signs nothing')
  }

  async setUpPrices(prices: readonly WantedPrice[]) {
    return prices.map(({ id, plan, billing, amountCents }) => {
      const providerId = `${plan}_${billing}`
      this.#amounts.set(providerId, amountCents)
      return { id, providerId, productId: plan }
    })
  }
}
