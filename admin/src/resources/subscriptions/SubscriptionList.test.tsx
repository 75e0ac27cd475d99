import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { plan, servePlans, serveSubscriptions, subscription, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, open } from '../../../test/screen.tsx'

const PRO = subscription({ id: '1', provider_id: 'sub_1' })
const GONE = subscription({
  id: '2',
  provider_id: 'I-2',
  provider: 'paypal',
  plan: 'elite',
  billing: 'monthly',
  amount_cents: 2_500,
  user_id: null,
  username: null,
  state: 'ended',
  provider_status: 'CANCELLED',
  ended_at: '2026-06-12T08:30:00.000Z',
  end_reason: 'refunded',
  refunded_cents: 2_500,
  refundable_cents: 0,
  is_surplus: true,
})

test('each row shows account, plan, state, next date, provider and what was refunded', async () => {
  serveSubscriptions(PRO, GONE)
  open('/subscriptions')
  const link = await screen.findByRole('link', { name: 'sub_1' })
  expect(new URL(link.getAttribute('href') ?? '', location.href).searchParams.get('filter')).toBe(
    '{"subscription_id":"1"}',
  )
  const [gone = [], pro = []] = cells()
  expect(pro.slice(0, 6)).toEqual([
    'ada',
    'Proannual, $110.00',
    'Active',
    'renews 12 May 2027',
    'Stripesub_1',
    '–',
  ])
  expect(gone.slice(0, 6)).toEqual([
    'deleted account',
    'Elitemonthly, $25.00',
    'EndedCANCELLED, surplus, refunded',
    'ended 12 June 2026',
    'PayPalI-2',
    '$25.00',
  ])
})

test('a subscription is read at its provider again; a failure is shown', async () => {
  serveSubscriptions(PRO)
  const hands = open('/subscriptions')
  const button = await screen.findByRole('button', { name: 'Refetch sub_1' })
  await hands.click(button)
  expect(await screen.findByText('sub_1 was read at the provider: Active.')).toBeDefined()
  mock.handle({
    refetchSubscription: () => problem('provider-unavailable', { detail: 'Stripe is away.' }),
  })
  await hands.click(button)
  expect(await screen.findByText('Stripe is away.')).toBeDefined()
})

test('a later payment can be refunded after a refund for goodwill', async () => {
  serveSubscriptions({ ...PRO, refunded_cents: 11_000, refundable_cents: 2_000 })
  open('/subscriptions')
  expect(await screen.findByRole('button', { name: 'Refund sub_1' })).toBeDefined()
})

describe('a refund', () => {
  const ask = async () => {
    const kept = serveSubscriptions(PRO, GONE)
    const hands = open('/subscriptions')
    await hands.click(await screen.findByRole('button', { name: 'Refund sub_1' }))
    const name = 'Refund the last payment of ada?'
    const dialog = within(await screen.findByRole('dialog', { name }))
    await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Two days down.')
    return { kept, hands, dialog }
  }

  test('has a reason, and can leave the subscription as it is', async () => {
    const { kept, hands, dialog } = await ask()
    expect(screen.queryByRole('button', { name: 'Refund I-2', hidden: true })).toBeNull()
    expect(dialog.getByText(/^\$110\.00 of the last payment is refunded\./)).toBeDefined()
    await hands.click(dialog.getByRole('checkbox', { name: 'End the subscription at once' }))
    await hands.click(dialog.getByRole('button', { name: 'Refund' }))
    expect(
      await screen.findByText('$110.00 of the last payment of sub_1 was refunded.'),
    ).toBeDefined()
    expect(mock.bodiesOf('refundSubscription')).toEqual([
      { reason: 'Two days down.', ends_plan: false },
    ])
    expect(kept[0]?.state).toBe('active')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Refund sub_1' })).toBeNull())
  })

  test('that fails keeps the dialog and its text', async () => {
    const { hands, dialog } = await ask()
    mock.handle({ refundSubscription: () => problem('conflict', { detail: 'Refunded already.' }) })
    await hands.click(dialog.getByRole('button', { name: 'Refund' }))
    expect(await dialog.findByText('Refunded already.')).toBeDefined()
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Reason' }).value).toBe(
      'Two days down.',
    )
  })
})

describe('the page of a user says what the plan comes from', () => {
  test.each([
    ['elite', [PRO], /^Elite is complimentary\. Pro is paid for/],
    ['pro', [PRO], /^Pro is paid for\./],
    ['pro', [], /^Pro is complimentary: nothing is paid for it\.$/],
    ['free', [GONE], /^Free: no plan is paid for\.$/],
  ] as const)('%s', async (account_type, rows, text) => {
    serveUsers(user({ account_type }))
    servePlans(plan())
    serveSubscriptions(...rows.map((row) => ({ ...row, user_id: user().id })))
    open(`/users/${user().id}`)
    expect(await screen.findByText(text)).toBeDefined()
  })
})
