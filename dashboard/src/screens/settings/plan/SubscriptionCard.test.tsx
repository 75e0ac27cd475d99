/** Subscription Management: the state in a sentence, and what the owner can do in each state. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import {
  NO_SUBSCRIPTION,
  serveSubscription,
  type Subscription,
  subscription,
  watchProviderPages,
} from '../../../../test/payments.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const END = '2027-05-12T08:30:00.000Z'
const CANCELED: Partial<Subscription> = {
  canResume: true,
  status: 'canceled',
  endsAt: END,
  nextPaymentDue: null,
}
const PAST_DUE: Partial<Subscription> = {
  status: 'past_due',
  endsAt: '2026-05-26T08:30:00.000Z',
  isInGracePeriod: true,
}
const opened = watchProviderPages()

async function openCard(changes: Partial<Subscription> = {}) {
  serveSubscription(subscription(changes))
  const hands = openDashboard('#settings/plan')
  const region = await screen.findByRole('region', { name: 'Subscription Management' })
  return { hands, card: within(region) }
}

const buttonsOf = (card: Pick<typeof screen, 'queryAllByRole'>) =>
  card.queryAllByRole('button').map(({ textContent }) => textContent)

describe('a subscription', () => {
  test.each<[string, Partial<Subscription>, string, string, string[]]>([
    [
      'active',
      {},
      'Active',
      'Pro, annual, renews on 12 May 2027, $110.00 by Visa ending in 4242.',
      ['Upgrade to Elite', 'Change Billing', 'Update Payment Method', 'Cancel Subscription'],
    ],
    [
      'not paid yet',
      { status: 'incomplete', nextPaymentDue: null },
      'incomplete',
      'Pro, annual.',
      [],
    ],
    [
      'Elite',
      { plan: 'elite', interval: 'monthly', amountCents: 2_500 },
      'Active',
      'Elite, monthly, renews on 12 May 2027, $25.00 by Visa ending in 4242.',
      ['Change Plan', 'Update Payment Method', 'Cancel Subscription'],
    ],
    [
      'past due',
      PAST_DUE,
      'Past due',
      'Pro, annual: the last payment failed. The plan is kept until 26 May 2026.',
      ['Upgrade to Elite', 'Update Payment Method', 'Cancel Subscription'],
    ],
    [
      'cancelled',
      CANCELED,
      'Cancelled',
      'Pro, annual, is cancelled and ends on 12 May 2027.',
      ['Resume Subscription'],
    ],
    [
      'cancelled at PayPal for good',
      { ...CANCELED, provider: 'paypal', canResume: false },
      'Cancelled',
      'Pro, annual, is cancelled and ends on 12 May 2027.',
      [],
    ],
    [
      'disputed',
      { status: 'disputed' },
      'disputed',
      'Pro, annual.',
      ['Upgrade to Elite', 'Update Payment Method', 'Cancel Subscription'],
    ],
  ])('that is %s', async (_, changes, state, sentence, buttons) => {
    const { card } = await openCard(changes)
    expect(card.getByText(state)).toBeDefined()
    expect(card.getByText(sentence)).toBeDefined()
    expect(buttonsOf(card)).toEqual(buttons)
  })

  test('that is cancelled can be followed by one at the other provider', async () => {
    const { card } = await openCard(CANCELED)
    const link = card.getByRole('link', { name: 'Continue with PayPal' })
    expect(link.getAttribute('href')).toBe('#payment?plan=pro&billing=annual')
  })

  test('that another one follows says what begins when', async () => {
    const followedBy = { provider: 'paypal', plan: 'pro', billing: 'monthly', at: END } as const
    const { card } = await openCard({ ...CANCELED, canResume: false, followedBy })
    expect(
      card.getByText(/until 12 May 2027\. Then Pro, monthly, begins, paid with PayPal\.$/),
    ).toBeDefined()
    expect(card.queryByRole('link', { name: 'Continue with PayPal' })).toBeNull()
    expect(buttonsOf(card)).toEqual(['Cancel Subscription'])
  })

  test('in the grace period says until when', async () => {
    const { card } = await openCard(PAST_DUE)
    expect(card.getByText('Grace period until 26 May 2026')).toBeDefined()
  })

  test('with a failed payment says why its plan cannot be changed', async () => {
    const { card, hands } = await openCard(PAST_DUE)
    const description = 'You can upgrade after you pay the outstanding amount.'
    await hands.click(card.getByRole('button', { name: 'Upgrade to Elite', description }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('with a planned change and a complimentary plan says so', async () => {
    const { card } = await openCard({
      pendingChange: { plan: 'pro', billing: 'monthly', at: END },
      complimentaryPlan: 'elite',
    })
    expect(card.getByText('Pro, monthly, from 12 May 2027')).toBeDefined()
    expect(
      card.getByText(/^Pro, annual, changes to Pro, monthly, on 12 May 2027, \$110\.00 by Visa/),
    ).toBeDefined()
    expect(
      screen.getByText(/^An administrator gave you the Elite plan free of charge\./),
    ).toBeDefined()
  })

  test('that does not exist has no card, and the plan leads to the prices', async () => {
    serveSubscription(NO_SUBSCRIPTION)
    mock.handle({
      getMe: () => ok({ ...exampleOf('getMe'), account_type: 'free', plan: 'free' }),
      listInvoices: () => ok([]),
    })
    openDashboard('#settings/subscription')
    const link = await screen.findByRole('link', { name: 'Upgrade Plan' })
    expect(link).toHaveProperty('pathname', '/pricing')
    await waitFor(() => expect(mock.calls.some(({ id }) => id === 'listInvoices')).toBe(true))
    expect(screen.queryByText('Subscription Management')).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Invoices' })).toBeNull()
  })
})

test('a link to the subscription gives its card the focus', async () => {
  serveSubscription(subscription())
  openDashboard('#settings/subscription')
  const heading = await screen.findByRole('heading', { name: 'Subscription Management' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

describe('cancelling', () => {
  const open = async () => {
    const { hands, card } = await openCard()
    await hands.click(card.getByRole('button', { name: 'Cancel Subscription' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel your subscription?' }))
    return { hands, dialog }
  }

  test('asks with the effects, and reads the state again', async () => {
    const { hands, dialog } = await open()
    expect(
      dialog.getByText(
        'Are you sure you want to cancel your subscription? You will lose access to premium features at the end of your billing period.',
      ),
    ).toBeDefined()
    expect(
      await dialog.findByText(/^On 12 May 2027, the account changes to the Free plan\./),
    ).toBeDefined()
    mock.handle({ getCurrentSubscription: () => ok(subscription(CANCELED)) })
    await hands.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    expect(
      await screen.findByText(
        'Your subscription has been cancelled. You will retain access until the end of your billing period.',
      ),
    ).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Resume Subscription' })).toBeDefined()
  })

  test('that fails says why, and changes nothing', async () => {
    mock.handle({ cancelSubscription: () => problem('provider-unavailable') })
    const { hands, dialog } = await open()
    await hands.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
    expect((await dialog.findByRole('alert')).textContent).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Keep Subscription' })).toBeDefined()
  })
})

test('a cancelled subscription is resumed', async () => {
  const { hands, card } = await openCard(CANCELED)
  mock.handle({ getCurrentSubscription: () => ok(subscription()) })
  await hands.click(card.getByRole('button', { name: 'Resume Subscription' }))
  expect(await screen.findByText('Your subscription continues.')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Cancel Subscription' })).toBeDefined()
})

describe('the payment method', () => {
  test('is changed on the page of the provider', async () => {
    const { hands, card } = await openCard()
    await hands.click(card.getByRole('button', { name: 'Update Payment Method' }))
    await waitFor(() => expect(opened).toEqual(['https://billing.stripe.com/p/session/test_1']))
    act(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    expect(card.getByRole('button', { name: 'Update Payment Method' })).toBeDefined()
  })

  test('whose page cannot be opened says so', async () => {
    mock.handle({ updatePaymentMethod: () => ok({ checkoutUrl: 'javascript:alert(1)' }) })
    const { hands, card } = await openCard()
    await hands.click(card.getByRole('button', { name: 'Update Payment Method' }))
    expect((await card.findByRole('alert')).textContent).toBe('Failed to update payment method')
  })
})

describe('a change of plan', () => {
  const PREVIEW = exampleOf('previewSubscriptionChange')
  const open = async (part = '', changes: Partial<Subscription> = {}) => {
    serveSubscription(subscription(changes))
    const hands = openDashboard(`#settings/plan?dialog=change-plan${part}`)
    const dialog = within(await screen.findByRole('dialog', { name: 'Change your plan' }))
    return { hands, dialog }
  }

  test('of the billing cycle begins with the other cycle of the present plan', async () => {
    const { hands, card } = await openCard()
    await hands.click(card.getByRole('button', { name: 'Change Billing' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change your plan' }))
    const isChosen = (name: RegExp) => dialog.getByRole<HTMLInputElement>('radio', { name }).checked
    expect([isChosen(/^Pro/), isChosen(/^Monthly/)]).toEqual([true, true])
  })

  test('shows credit and amounts before it is made', async () => {
    const { hands, dialog } = await open()
    expect(await dialog.findByText('The plan changes at once.')).toBeDefined()
    expect(
      dialog.getAllByRole('definition').map((amount) => {
        const label = amount.previousElementSibling?.textContent
        return `${label}: ${amount.textContent}`
      }),
    ).toEqual([
      'Elite until 12 June 2026: $25.00',
      'Credit for unused time: -$8.88',
      'Due now: $16.12',
      'Next payment on 12 June 2026: $25.00',
    ])
    await hands.click(dialog.getByRole('button', { name: 'Pay $16.12 and Change Plan' }))
    expect(await screen.findByText('Your plan is Elite now.')).toBeDefined()
    expect(mock.bodiesOf('changeSubscription')).toEqual([{ plan: 'elite', billing: 'annual' }])
  })

  test('to a smaller plan names its time and the domains that are withheld', async () => {
    mock.handle({
      previewSubscriptionChange: () =>
        ok({
          ...PREVIEW,
          kind: 'downgrade',
          takesEffect: 'period-end',
          takesEffectAt: END,
          dueNowCents: 0,
          creditCents: 0,
          withheldDomains: 3,
        }),
    })
    const { hands, dialog } = await open('&part=pro-monthly')
    expect(
      await dialog.findByText('The plan changes on 12 May 2027, at the end of the paid period.'),
    ).toBeDefined()
    expect(dialog.getByText(/^DNS stops answering for 3 domains over the limit/)).toBeDefined()
    await hands.click(dialog.getByRole('radio', { name: /^Annual/ }))
    expect(location.hash).toBe('#settings/plan?dialog=change-plan&part=pro-annual')
  })

  test('to the present plan cannot be sent', async () => {
    mock.handle({ previewSubscriptionChange: () => ok({ ...PREVIEW, kind: 'unchanged' }) })
    const { dialog } = await open('&part=pro-annual')
    expect(await dialog.findByText('This is your present plan.')).toBeDefined()
    const change = dialog.getByRole<HTMLButtonElement>('button', { name: /Change Plan/ })
    expect(change.disabled).toBe(true)
  })

  test('that is planned is taken back by the choice of the present plan, and is not planned again', async () => {
    mock.handle({ previewSubscriptionChange: () => ok({ ...PREVIEW, kind: 'unchanged' }) })
    const planned = { plan: 'pro', billing: 'monthly', at: END } as const
    const { hands, dialog } = await open('&part=pro-annual', { pendingChange: planned })
    expect(
      await dialog.findByText(/the change to Pro, monthly, on 12 May 2027 is taken back\.$/),
    ).toBeDefined()
    mock.handle({
      changeSubscription: () =>
        ok({ ...exampleOf('changeSubscription'), message: 'Your plan stays Pro, annual.' }),
      previewSubscriptionChange: () => ok({ ...PREVIEW, kind: 'cycle', takesEffect: 'period-end' }),
    })
    await hands.click(dialog.getByRole('radio', { name: /^Monthly/ }))
    expect(await dialog.findByText(/^This change is planned already\./)).toBeDefined()
    const change = dialog.getByRole<HTMLButtonElement>('button', { name: /Change Plan/ })
    expect(change.disabled).toBe(true)
    mock.handle({ previewSubscriptionChange: () => ok({ ...PREVIEW, kind: 'unchanged' }) })
    await hands.click(dialog.getByRole('radio', { name: /^Annual/ }))
    await hands.click(await dialog.findByRole('button', { name: 'Keep Present Plan' }))
    expect(await screen.findByText('Your plan stays Pro, annual.')).toBeDefined()
    expect(mock.bodiesOf('changeSubscription')).toEqual([{ plan: 'pro', billing: 'annual' }])
  })

  test('that must be approved leads to the provider', async () => {
    mock.handle({
      previewSubscriptionChange: () => ok({ ...PREVIEW, needsApproval: true }),
      changeSubscription: () =>
        ok({
          ...exampleOf('changeSubscription'),
          checkoutUrl: 'https://www.paypal.com/approve',
        }),
    })
    const { hands, dialog } = await open()
    await hands.click(await dialog.findByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(opened).toEqual(['https://www.paypal.com/approve']))
  })
})

describe('the money-back guarantee', () => {
  test('refunds the first payment after the user has confirmed their identity', async () => {
    const { hands, card } = await openCard({ refundableUntil: '2026-05-19T08:30:00.000Z' })
    await hands.click(card.getByRole('button', { name: 'Get a Refund' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Get your payment back?' }))
    mock.handle({ getCurrentSubscription: () => ok(NO_SUBSCRIPTION) })
    await hands.click(dialog.getByRole('button', { name: 'Refund and End Plan' }))
    expect(
      await screen.findByText('Your payment of $110.00 is refunded. Your plan is Free now.'),
    ).toBeDefined()
    await waitFor(() => expect(screen.queryByText('Subscription Management')).toBeNull())
  })
})

test('the invoices lead to pages to print', async () => {
  await openCard()
  const link = await screen.findByRole('link', { name: 'H-2026-000123' })
  expect(link.getAttribute('href')).toBe('#invoice/17')
  expect(screen.getByRole('row', { name: 'H-2026-000123 12 May 2026 Paid $110.00' })).toBeDefined()
})
