/** Subscriptions and plans for sale, for tests, and the pages of providers to which a test was led. */
import { afterEach, beforeEach } from 'vitest'
import { exampleOf, mock, ok } from './mock.ts'

export type Subscription = ReturnType<typeof exampleOf<'getCurrentSubscription'>>

/** A subscription of Pro, annual: the contract's example, with changes. */
export const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  ...exampleOf('getCurrentSubscription'),
  refundableUntil: null,
  ...changes,
})

/** An account that never paid. */
export const NO_SUBSCRIPTION: Subscription = subscription({
  hasSubscription: false,
  plan: null,
  interval: null,
  status: null,
  endsAt: null,
  nextPaymentDue: null,
  isInGracePeriod: null,
  provider: null,
  amountCents: null,
  currency: null,
  paymentMethod: null,
  startedAt: null,
  billingDetails: null,
})

/** The service with this subscription, and with the plans that it sells. */
export function serveSubscription(current: Subscription): void {
  const [pro] = exampleOf('listOfferedPlans')
  if (pro === undefined) throw new Error('the contract has an example of a plan')
  const free = {
    ...pro,
    id: 'free',
    domain_limit: 5,
    price_month_cents: 0,
    price_year_cents: 0,
  } as const
  const elite = {
    ...pro,
    id: 'elite',
    domain_limit: 500,
    price_month_cents: 2_500,
    price_year_cents: 27_500,
  } as const
  mock.handle({
    listOfferedPlans: () => ok([free, pro, elite]),
    getCurrentSubscription: () => ok(current),
    getMe: () => ok({ ...exampleOf('getMe'), surname: 'Lovelace' }),
  })
}

/** Collects the pages of other sites that the app opens, because jsdom has only one page. */
export function watchProviderPages(): string[] {
  const opened: string[] = []
  function follow(event: Event): void {
    const link = event.target
    if (!(link instanceof HTMLAnchorElement) || link.origin === location.origin) return
    event.preventDefault()
    opened.push(link.href)
  }
  beforeEach(() => {
    opened.length = 0
    document.addEventListener('click', follow)
  })
  afterEach(() => document.removeEventListener('click', follow))
  return opened
}
