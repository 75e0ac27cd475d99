/** The checkout: what is bought, how it is paid, the billing fields, and the way to the provider. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import {
  NO_SUBSCRIPTION,
  serveSubscription,
  subscription,
  watchProviderPages,
} from '../../../test/payments.ts'
import { fill, leave, openDashboard, openSignIn } from '../../../test/screen.tsx'
import { beginLocalSession } from '../../api/session.ts'

const PAGE = '#payment?plan=pro&billing=annual'
const opened = watchProviderPages()
const button = () => screen.getByRole('button', { name: /^(Subscribe|Processing)/ })
const field = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('textbox', { name })

async function openCheckout(at = PAGE, current = NO_SUBSCRIPTION) {
  serveSubscription(current)
  const hands = openDashboard(at)
  await screen.findByRole('heading', { level: 1, name: 'Complete Your Subscription' })
  await screen.findByRole('button', { name: /^Subscribe for/ })
  return hands
}

const WITH_ADDRESS = subscription({
  ...NO_SUBSCRIPTION,
  billingDetails: exampleOf('getCurrentSubscription').billingDetails,
})

describe('the order', () => {
  test('has plan, cycle with its saving, amount and renewal; a switch is kept in the URL', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-12T08:30:00Z') })
    const hands = await openCheckout()
    expect(button().textContent).toBe('Subscribe for $110/year')
    expect(screen.getByRole('radio', { name: /^Annual ?\$110\/year, save.\$10$/ })).toBeDefined()
    expect(
      screen.getByText(
        /^Pro renews on 12 May 2027 and then every year for \$110\.00\. Cancel anytime/,
      ),
    ).toBeDefined()
    await hands.click(screen.getByRole('radio', { name: /^Elite/ }))
    expect(screen.getByRole('radio', { name: /^Annual ?\$275\/year, save.\$25$/ })).toBeDefined()
    await hands.click(screen.getByRole('radio', { name: /^Monthly/ }))
    expect(button().textContent).toBe('Subscribe for $25/month')
    expect(location.hash).toBe('#payment?plan=elite&billing=monthly')
    const guarantees = within(screen.getByRole('list', { name: 'Guarantees' }))
    expect(guarantees.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '7-day money-back guarantee',
      'Cancel anytime',
      'Instant activation',
    ])
  })

  test.each(['#payment?plan=gold&billing=annual', '#payment?plan=pro&billing=weekly', '#payment'])(
    'of %s is invalid',
    async (at) => {
      serveSubscription(NO_SUBSCRIPTION)
      openDashboard(at)
      expect(await screen.findByText('Invalid plan selection')).toBeDefined()
      expect(screen.getByRole('link', { name: 'Back to pricing' })).toHaveProperty(
        'pathname',
        '/pricing',
      )
    },
  )
})

test('a cancelled subscription is followed by one at the other provider, whose first payment is due then', async () => {
  const endsAt = '2027-05-12T08:30:00.000Z'
  await openCheckout(
    PAGE,
    subscription({ status: 'canceled', endsAt, nextPaymentDue: null, canResume: true }),
  )
  expect(screen.getByText('Due on 12 May 2027')).toBeDefined()
  expect(screen.getByText(/^Pro renews on 12 May 2028 /)).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^PayPal/ }).checked).toBe(true)
  const card = screen.getByRole<HTMLInputElement>('radio', {
    name: /^Card ?Your present subscription is paid this way\./,
  })
  expect(card.disabled).toBe(true)
})

describe('nothing can be bought', () => {
  test('with a subscription, which is managed instead', async () => {
    serveSubscription(subscription())
    openDashboard(PAGE)
    const link = await screen.findByRole('link', { name: 'Manage your subscription' })
    expect(link.getAttribute('href')).toBe('#settings/plan')
    expect(screen.getByText('You already have a subscription: Pro, annual.')).toBeDefined()
  })

  test('with a subscription, whose plan is changed if another one was chosen', async () => {
    serveSubscription(subscription())
    openDashboard('#payment?plan=elite&billing=annual')
    const link = await screen.findByRole('link', { name: 'Change it to Elite, annual' })
    expect(link.getAttribute('href')).toBe('#settings/plan?dialog=change-plan&part=elite-annual')
  })

  test('where the service takes no payments', async () => {
    serveSubscription({ ...NO_SUBSCRIPTION, canUse: { card: false, paypal: false } })
    openDashboard(PAGE)
    expect(await screen.findByText(/^Payments are not available on this service\./)).toBeDefined()
    const support = await screen.findByRole('link', { name: 'Contact Support' })
    expect(support.getAttribute('href')).toBe('mailto:support@example.net')
  })
})

describe('the payment method', () => {
  test('PayPal needs its configuration, and cryptocurrency is not there yet', async () => {
    await openCheckout(PAGE, { ...NO_SUBSCRIPTION, canUse: { card: true, paypal: false } })
    const paypal = screen.getByRole<HTMLInputElement>('radio', {
      name: /^PayPal ?PayPal is not configured\. Please contact support\.$/,
    })
    const crypto = screen.getByRole<HTMLInputElement>('radio', {
      name: /^Cryptocurrency \(Coming Soon\) ?Cryptocurrency payments coming soon!$/,
    })
    expect([paypal.disabled, crypto.disabled]).toEqual([true, true])
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Card/ }).checked).toBe(true)
  })
})

describe('the billing fields', () => {
  test('are prefilled from the profile, with all countries and the specification’s first', async () => {
    await openCheckout()
    const { given_name, email } = exampleOf('getMe')
    expect(field('First name').value).toBe(given_name)
    expect(field('Last name').value).toBe('Lovelace')
    expect(field('Email').value).toBe(email)
    const country = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Country' })
    expect(country.value).toBe('US')
    const codes = [...country.options].map(({ value }) => value)
    expect(codes.slice(0, 8)).toEqual(['US', 'CA', 'GB', 'AU', 'DE', 'FR', 'NL', 'JP'])
    expect(codes.length).toBeGreaterThan(240)
  })

  test('that are empty say so, and the first gets the focus; typing removes its message', async () => {
    const hands = await openCheckout()
    await hands.clear(field('First name'))
    await fill(hands, field('Email'), 'ada@example')
    await hands.click(button())
    const messages = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(messages).toEqual([
      'Please fill in first name',
      'Please enter a valid email address',
      'Please fill in address',
      'Please fill in city',
      'Please fill in state',
      'Please fill in zip code',
    ])
    expect(document.activeElement).toBe(field('First name'))
    expect(mock.bodiesOf('createCheckoutSession')).toEqual([])
    const summary = within(screen.getByRole('region', { name: '6 fields need a correction' }))
    const names = summary.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names.slice(0, 3)).toEqual(['First name', 'Email', 'Address'])
    await hands.click(summary.getByRole('button', { name: 'City' }))
    expect(document.activeElement).toBe(field('City'))
    await hands.type(field('First name'), 'A')
    expect(screen.queryByText('Please fill in first name')).toBeNull()
    expect(screen.getByRole('region', { name: '5 fields need a correction' })).toBeDefined()
  })

  test('of a country without states and postal codes are optional', async () => {
    const hands = await openCheckout()
    await hands.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'HK')
    await fill(hands, field('Address'), '1 Queen’s Road')
    await fill(hands, field('City'), 'Hong Kong')
    expect(field('State or region (optional)').required).toBe(false)
    await hands.click(button())
    await waitFor(() => expect(opened).toHaveLength(1))
    expect(mock.bodiesOf('createCheckoutSession')[0]).toMatchObject({
      billingDetails: { country: 'HK', state: '', zipCode: '' },
    })
  })

  test('are kept in the tab when the user leaves and comes back', async () => {
    const hands = await openCheckout()
    await fill(hands, field('City'), 'Paris')
    act(() => {
      location.hash = '#settings/profile'
    })
    await screen.findByRole('heading', { level: 1, name: 'Profile Information' })
    act(() => {
      location.hash = PAGE
    })
    expect(await screen.findByDisplayValue('Paris')).toBeDefined()
  })
})

describe('the button', () => {
  test('leads to the page of the card provider, and stays busy', async () => {
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    await hands.click(button())
    await waitFor(() => expect(opened).toEqual(['https://checkout.stripe.com/c/pay/cs_test_1']))
    expect(button().textContent).toBe('Processing...')
    await hands.click(button())
    expect(mock.bodiesOf('createCheckoutSession')).toEqual([
      {
        plan: 'pro',
        billing: 'annual',
        provider: 'stripe',
        billingDetails: WITH_ADDRESS.billingDetails,
      },
    ])
    expect(document.querySelectorAll('script')).toHaveLength(0)
  })

  test('leads to PayPal', async () => {
    const approvalUrl = 'https://www.paypal.com/webapps/billing/subscriptions?ba_token=1'
    mock.handle({ createCheckoutSession: () => ok({ approvalUrl }) })
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    await hands.click(screen.getByRole('radio', { name: /^PayPal/ }))
    await hands.click(button())
    await waitFor(() => expect(opened).toEqual([approvalUrl]))
  })

  test('works again when the browser shows the page as it was', async () => {
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    await hands.click(button())
    await waitFor(() => expect(opened).toHaveLength(1))
    act(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    expect(button().textContent).toBe('Subscribe for $110/year')
  })

  test.each([
    ['Card', () => ok({ checkoutUrl: 'javascript:alert(1)' }), 'Payment initialization failed'],
    ['Card', () => ok({ checkoutUrl: 'http://pay.example/x' }), 'Payment initialization failed'],
    ['Card', () => ok({}), 'Payment initialization failed'],
    ['PayPal', () => ok({}), 'Failed to create PayPal subscription'],
    [
      'PayPal',
      () => Promise.reject(new TypeError('gone')),
      'PayPal payment initialization failed. Network error. Please try again.',
    ],
    [
      'Card',
      () =>
        problem('provider-unavailable', {
          detail: 'Stripe does not answer. Please try again later.',
        }),
      'Stripe does not answer. Please try again later.',
    ],
  ])('of %s says what failed', async (method, answer, text) => {
    mock.handle({ createCheckoutSession: answer })
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    await hands.click(screen.getByRole('radio', { name: new RegExp(`^${method}`) }))
    await hands.click(button())
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    expect(opened).toEqual([])
    expect(button().textContent).toBe('Subscribe for $110/year')
  })

  test('repeats a call without an answer with the same key', async () => {
    const keys: (string | null)[] = []
    mock.handle({
      createCheckoutSession({ headers }) {
        keys.push(headers.get('idempotency-key'))
        return keys.length === 1
          ? Promise.reject(new TypeError('gone'))
          : ok({ checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_1' })
      },
    })
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    await hands.click(button())
    await screen.findByRole('alert')
    await hands.click(button())
    await waitFor(() => expect(opened).toHaveLength(1))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toBeTruthy()
  })

  test('leads to the subscription that another tab began', async () => {
    mock.handle({ createCheckoutSession: () => problem('subscription-exists') })
    const hands = await openCheckout(PAGE, WITH_ADDRESS)
    mock.handle({ getCurrentSubscription: () => ok(subscription()) })
    await hands.click(button())
    expect(await screen.findByRole('link', { name: 'Manage your subscription' })).toBeDefined()
  })
})

describe('the intended plan', () => {
  const FREE = {
    id: '7',
    username: 'ada',
    email: 'ada@example.net',
    account_type: 'free',
    plan: 'free',
  }

  test('survives the registration, and leads to the checkout at the first sign-in only', async () => {
    serveSubscription(NO_SUBSCRIPTION)
    openSignIn('#register?plan=elite&billing=annual')
    expect(await screen.findByText('Elite, annual')).toBeDefined()
    act(() => {
      location.hash = '#login'
    })
    await screen.findByRole('heading', { level: 1, name: 'Sign in' })
    mock.caller = 'user'
    act(() => beginLocalSession(FREE))
    expect(await screen.findByRole('button', { name: 'Subscribe for $275/year' })).toBeDefined()
    act(() => {
      location.hash = '#login'
    })
    expect(
      await screen.findByRole('heading', { level: 1, name: /Domains|Dashboard/ }),
    ).toBeDefined()
    leave()
  })
})
