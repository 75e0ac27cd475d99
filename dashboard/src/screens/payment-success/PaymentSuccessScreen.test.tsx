/** The page after the payment: it confirms what the service confirms, and nothing before. */
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok } from '../../../test/mock.ts'
import { openDashboard, openSignIn } from '../../../test/screen.tsx'
import { intendedPlan, rememberChange, rememberPlan } from '../../api/intended-plan.ts'

const PAGE = '#payment-success?session_id=cs_test_1'
const ACTIVE = exampleOf('getSubscriptionStatus')
const NONE = {
  hasSubscription: false,
  plan: null,
  interval: null,
  status: null,
  endsAt: null,
  nextPaymentDue: null,
  isInGracePeriod: null,
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

test('an active subscription is confirmed, and the dashboard follows after five seconds', async () => {
  rememberPlan('plan=pro&billing=annual', true)
  openDashboard(PAGE)
  expect(await heading('Payment Successful!')).toBeDefined()
  expect(mock.calls.find(({ id }) => id === 'getSubscriptionStatus')?.query).toEqual({
    session_id: 'cs_test_1',
  })
  expect(screen.getByText('Pro plan, Annual')).toBeDefined()
  expect(
    screen
      .getAllByRole('listitem')
      .slice(0, 3)
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Your account is upgraded',
    'A receipt was sent to you by email',
    'You have instant access to all features of the plan',
  ])
  expect(screen.getByText(/^Redirecting to dashboard in [45] seconds\.\.\.$/)).toBeDefined()
  expect(intendedPlan()).toBeUndefined()
  await pass(5_500)
  expect(location.hash).toBe('#dashboard')
})

test('the countdown can be stopped', async () => {
  const hands = openDashboard(PAGE)
  await hands.click(await screen.findByRole('button', { name: 'Stay on This Page' }))
  await pass(6_000)
  expect(location.hash).toBe(PAGE)
  await hands.click(screen.getByRole('button', { name: 'Go to Dashboard' }))
  expect(location.hash).toBe('#dashboard')
})

test('a subscription that follows the present one is confirmed with the day on which it begins', async () => {
  rememberPlan('plan=pro&billing=annual', true)
  const at = '2027-05-12T08:30:00.000Z'
  const followedBy = { provider: 'paypal', plan: 'pro', billing: 'annual', at } as const
  const ending = { status: 'canceled', endsAt: at, nextPaymentDue: null } as const
  mock.handle({
    getSubscriptionStatus: () => ok({ ...ACTIVE, ...ending }),
    getCurrentSubscription: () =>
      ok({ ...exampleOf('getCurrentSubscription'), ...ending, followedBy }),
  })
  openDashboard(PAGE)
  expect(await heading('Payment method approved')).toBeDefined()
  expect(screen.getByText(/^Your present subscription ends on 12 May 2027\./)).toBeDefined()
  expect(intendedPlan()).toBeUndefined()
})

test('it waits until the subscription is active', async () => {
  let answer: typeof ACTIVE = NONE
  mock.handle({ getSubscriptionStatus: () => ok(answer) })
  openDashboard('#payment-success?provider=paypal&subscription_id=I-1')
  expect(await heading('Confirming your payment')).toBeDefined()
  expect(mock.calls.find(({ id }) => id === 'getSubscriptionStatus')?.query).toEqual({
    subscription_id: 'I-1',
  })
  await pass(6_000)
  expect(screen.queryByText(/Redirecting/)).toBeNull()
  answer = ACTIVE
  await pass(4_000)
  expect(await heading('Payment Successful!')).toBeDefined()
})

test('after a change of plan, the former plan is not taken for the new one', async () => {
  rememberPlan('plan=elite&billing=annual', true)
  openDashboard(PAGE)
  expect(await heading('Confirming your payment')).toBeDefined()
  await pass(3_500)
  mock.handle({ getSubscriptionStatus: () => ok({ ...ACTIVE, plan: 'elite' }) })
  await pass(4_000)
  expect(await screen.findByText('Elite plan, Annual')).toBeDefined()
})

test('a change that begins with the next period is not waited for', async () => {
  rememberChange({ plan: 'pro', billing: 'monthly' }, '2027-05-12T08:30:00.000Z')
  openDashboard(PAGE)
  expect(await heading('Change approved')).toBeDefined()
  expect(
    screen.getByText(/^From 12 May 2027, your plan is Pro, monthly\. Until then/),
  ).toBeDefined()
  expect(screen.queryByText(/^Redirecting/)).toBeNull()
  expect(intendedPlan()).toBeUndefined()
})

test('without a confirmation in half a minute, a mail follows', async () => {
  mock.handle({ getSubscriptionStatus: () => ok(NONE) })
  const hands = openDashboard(PAGE)
  await heading('Confirming your payment')
  await pass(31_000)
  expect(await heading('Payment received')).toBeDefined()
  expect(
    screen.getByText(/^Your payment is still being confirmed\. We will mail you/),
  ).toBeDefined()
  mock.handle({ getSubscriptionStatus: () => ok(ACTIVE) })
  await hands.click(screen.getByRole('button', { name: 'Check Again' }))
  expect(await heading('Payment Successful!')).toBeDefined()
})

test('a visitor without a session signs in first, and comes back', async () => {
  openSignIn(PAGE)
  expect(await screen.findByText('Payment received. Sign in.')).toBeDefined()
  const link = screen.getByRole('link', { name: 'Sign In' })
  expect(link.getAttribute('href')).toBe('#login?next=payment-success%3Fsession_id%3Dcs_test_1')
  expect(mock.calls.filter(({ id }) => id === 'getSubscriptionStatus')).toEqual([])
})
