/** Changes of plan by card, over the calls of the API and the local Stripe server. */
import type { PlanChangePreview, PlanChangeResult, Subscription } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { DAY_MS, useStripeWorld } from '../../../test/support/stripe-world.ts'

const use = useStripeWorld()
const payments = '/api/payments'

describe('a change of plan', () => {
  const preview = `${payments}/change-plan/preview`

  test('to a larger plan is prorated as the preview says', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada)
    await t.after(10 * DAY_MS)
    const seen = await t.call(ada, 'GET', `${preview}?plan=elite&billing=monthly`)
    const { dueNowCents, ...shown } = seen.json<PlanChangePreview>()
    expect(shown).toMatchObject({
      kind: 'upgrade',
      takesEffect: 'now',
      nextPaymentCents: 2_500,
      nextPaymentAt: expect.stringMatching(/^2026-0/),
      needsApproval: false,
      withheldDomains: 0,
    })
    const reply = await t.call(ada, 'POST', `${payments}/change-plan`, {
      plan: 'elite',
      billing: 'monthly',
    })
    expect(reply.json<PlanChangeResult>()).toMatchObject({
      message: 'Your plan is Elite now.',
      checkoutUrl: null,
      status: { plan: 'elite', status: 'active' },
    })
    expect(await t.planOf(ada)).toBe('elite')
    await t.settle()
    expect((await t.invoices(ada))[0]?.totalCents).toBe(dueNowCents)
    const annual = { plan: 'elite', billing: 'annual' }
    const cycle = await t.call(ada, 'POST', `${payments}/change-plan`, annual)
    expect(cycle.json<PlanChangeResult>().message).toBe('You pay for Elite by the year now.')
  })

  test('waits for the owner to confirm the payment', async () => {
    const { t } = use
    const ada = await t.person()
    await t.server.pay(await t.checkout(ada), 'complete')
    await t.settle()
    const reply = await t.call(ada, 'POST', `${payments}/change-plan`, {
      plan: 'elite',
      billing: 'monthly',
    })
    const { checkoutUrl, status } = reply.json<PlanChangeResult>()
    expect(status.plan).toBe('pro')
    await t.server.pay(checkoutUrl ?? '')
    await t.settle()
    expect(await t.planOf(ada)).toBe('elite')
  })

  test('to a smaller plan begins with the next period, and can be taken back', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada, 'elite')
    const change = async (plan: string) =>
      t.call(ada, 'POST', `${payments}/change-plan`, { plan, billing: 'monthly' })
    expect((await change('pro')).json<PlanChangeResult>().message).toMatch(
      /^Your plan changes to Pro, monthly on /,
    )
    const current = async () =>
      (await t.call(ada, 'GET', '/api/subscription/current')).json<Subscription>()
    expect(await current()).toMatchObject({
      plan: 'elite',
      amountCents: 1_000,
      pendingChange: { plan: 'pro', billing: 'monthly' },
    })
    expect((await change('elite')).json<PlanChangeResult>().message).toBe(
      'Your plan stays Elite, monthly.',
    )
    expect(await current()).toMatchObject({ pendingChange: null })
    await change('pro')
    // A cancellation forgets the change, and Stripe takes it although a schedule was there.
    expect((await t.call(ada, 'POST', `${payments}/cancel-subscription`)).status).toBe(200)
    await t.call(ada, 'POST', `${payments}/resume-subscription`)
    await change('pro')
    await t.after(33 * DAY_MS)
    expect(await t.planOf(ada)).toBe('pro')
  })

  test('is refused while the subscription is cancelled', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada)
    await t.call(ada, 'POST', `${payments}/cancel-subscription`)
    const reply = await t.call(ada, 'GET', `${preview}?plan=elite&billing=monthly`)
    expect(reply.json()).toMatchObject({ status: 409, code: 'conflict' })
  })
})
