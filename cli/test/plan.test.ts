import { describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal } from '../../test/pseudo-terminal.ts'
import { planSentence } from '../src/lib/plans.ts'
import { me, problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'
import { invoice, noSubscription, preview, subscription } from './plan-fixtures.ts'
import { LAUNCHER, type Reply, shellEnvironment } from './support.ts'

const t = useKeyedServer()
const CURRENT = 'GET /api/subscription/current'
const PREVIEW = 'GET /api/payments/change-plan/preview'
const CHANGE = 'POST /api/payments/change-plan'
const CHECKOUT = 'POST /api/payments/create-checkout-session'
const CARD_PAGE = 'https://checkout.example/c/pay/cs_1'
const PAYPAL_PAGE = 'https://paypal.example/approve?ba_token=1'

const run = (replies: Record<string, Reply>, ...args: string[]) => t.run(replies, 'plan', ...args)
const paths = () => t.asked.map(({ request }) => request.replace(/\?.*/, ''))
const sent = () => JSON.parse(t.asked.at(-1)?.body ?? '') as unknown
const { hasSubscription, plan, interval, status, endsAt, nextPaymentDue, isInGracePeriod } =
  subscription()
const STATUS = { hasSubscription, plan, interval, status, endsAt, nextPaymentDue, isInGracePeriod }
const PLANS: Record<string, Reply> = {
  'GET /api/plans': {
    body: [{ id: 'pro', price_month_cents: 1_000, price_year_cents: 11_000, currency: 'USD' }],
  },
}

describe('plan', () => {
  const account = (limits = me.limits): Record<string, Reply> => ({
    'GET /api/me': { body: { ...me, limits } },
  })

  test('shows plan, payment and limits, and the state in a sentence', async () => {
    const ended = await run({ ...account(), [CURRENT]: { body: subscription() } })
    expect(ended).toMatchObject({
      exitCode: 0,
      stderr: 'You have Pro, paid monthly: $10.00 on 2026-06-12.\n',
    })
    expect(ended.stdout).toContain('price\t$10.00\nnext payment\t2026-06-12T08:30:00.000Z\n')
    expect(ended.stdout).toContain('domains\t3 of 100\nstealth flags\t\nttl\t60 s\n')
  })

  test('shows stealth flags if the plan has web forwards', async () => {
    const limits = { ...me.limits, abilities: ['web_forward'] }
    const usage = { body: { stealth_flags_used: 1, max_stealth_flags: 10 } }
    const replies = { ...account(limits), 'GET /api/webforward/usage': usage }
    const ended = await run({ ...replies, [CURRENT]: { body: subscription() } }, 'show')
    expect(ended.stdout).toContain('stealth flags\t1 of 10\n')
  })

  test('prints the fields that are chosen', async () => {
    const replies = { ...account(), [CURRENT]: { body: noSubscription() } }
    const ended = await run(replies, '--json=account_type,plan,hasSubscription')
    expect(JSON.parse(ended.stdout)).toEqual({
      account_type: 'pro',
      plan: null,
      hasSubscription: false,
    })
  })

  const ends = { endsAt: '2026-05-26T08:30:00.000Z' }
  test.each([
    ['free', noSubscription(), 'You have the free plan. Next: homing plan change pro'],
    [
      'free',
      noSubscription({ canUse: { card: false, paypal: false } }),
      'You have the free plan. Payments are not available on this service.',
    ],
    ['admin', noSubscription(), 'Your account has the type admin, and no subscription.'],
    [
      'elite',
      noSubscription({ complimentaryPlan: 'elite' }),
      'An administrator gave you the Elite plan free of charge.',
    ],
    [
      'pro',
      subscription({ status: 'past_due', ...ends }),
      'The last payment failed. You keep Pro until 2026-05-26. Next: homing plan payment-method',
    ],
    [
      'pro',
      subscription({ status: 'canceled', canResume: true, ...ends }),
      'Your subscription is cancelled. You keep Pro until 2026-05-26. Keep it: homing plan resume',
    ],
    [
      'pro',
      subscription({
        status: 'canceled',
        ...ends,
        followedBy: { provider: 'paypal', plan: 'pro', billing: 'annual', at: ends.endsAt },
      }),
      'Your present subscription ends on 2026-05-26. Then Pro begins, paid annually with PayPal.',
    ],
    [
      'pro',
      subscription({ status: 'canceled', ...ends }),
      'Your subscription is cancelled. You keep Pro until 2026-05-26.',
    ],
    ['free', subscription({ status: 'incomplete' }), 'The first payment is not confirmed yet.'],
    [
      'pro',
      subscription({ status: 'disputed' }),
      'Your subscription has the state disputed. Please contact support.',
    ],
    [
      'elite',
      subscription({
        plan: 'elite',
        pendingChange: { plan: 'pro', billing: 'annual', at: '2026-06-12T08:30:00.000Z' },
      }),
      'You have Elite, paid monthly. From 2026-06-12: Pro, paid annually, $10.00.',
    ],
  ])('says of %s what is true and what to do', (type, present, sentence) => {
    expect(planSentence(type, present)).toBe(sentence)
  })
})

describe('change', () => {
  test('a free account gets the page where it pays', async () => {
    const replies = { ...PLANS, [CURRENT]: { body: noSubscription() } }
    const pays = { ...replies, [CHECKOUT]: { body: { checkoutUrl: CARD_PAGE } } }
    const ended = await run(pays, 'change', 'pro', '--annual', '--no-wait')
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: `plan\tPro, paid annually\nprice\t$110.00\npaid\tper year\nbegins\twhen it is paid\n${CARD_PAGE}\n`,
    })
    expect(sent()).toEqual({ plan: 'pro', billing: 'annual', provider: 'stripe' })
  })

  test.each([
    [['--paypal'], { card: true, paypal: true }, 'paypal'],
    [[], { card: false, paypal: true }, 'paypal'],
    [[], { card: true, paypal: true }, 'stripe'],
  ])('with %j where the service takes %j, it pays by %s', async (flags, canUse, provider) => {
    const replies = { ...PLANS, [CURRENT]: { body: noSubscription({ canUse }) } }
    const pays = { ...replies, [CHECKOUT]: { body: { approvalUrl: PAYPAL_PAGE } } }
    const ended = await run(pays, 'change', 'pro', '--json=checkoutUrl', ...flags)
    expect(JSON.parse(ended.stdout)).toEqual({ checkoutUrl: PAYPAL_PAGE })
    expect(sent()).toEqual({ plan: 'pro', billing: 'monthly', provider })
  })

  test('it waits until the payment has arrived', async () => {
    let reads = 0
    t.server.replies[CURRENT] = () => ({
      body: (reads += 1) === 1 ? noSubscription() : subscription(),
    })
    const pays = { ...PLANS, [CHECKOUT]: { body: { checkoutUrl: CARD_PAGE } } }
    const ended = await run(pays, 'change', 'pro')
    expect(ended.exitCode).toBe(0)
    expect(ended.stderr).toMatch(/Done: Pro, paid monthly\. Next: homing plan\n$/)
  })

  test('a subscription changes after a preview, with its own cycle', async () => {
    const done = { message: 'Your plan is Elite now.', checkoutUrl: null, status: STATUS }
    const replies = {
      [CURRENT]: { body: subscription({ interval: 'annual' }) },
      [PREVIEW]: { body: preview({ withheldDomains: 2 }) },
      [CHANGE]: { body: done },
    }
    const unsure = await run(replies, 'change', 'elite')
    expect([unsure.exitCode, unsure.stderr]).toEqual([
      64,
      '"Change to Elite, paid annually, now? You pay $16.12 now. DNS stops serving 2 domains. None is deleted." needs an answer, and prompts are off: give --yes.\n',
    ])
    expect(unsure.stdout).toContain('credit\t$8.88\ndue now\t$16.12\n')
    expect(paths()).not.toContain(CHANGE)
    const sure = await run(replies, 'change', 'elite', '--yes')
    expect(sure).toMatchObject({ exitCode: 0, stderr: 'Your plan is Elite now.\n' })
    expect(sent()).toEqual({ plan: 'elite', billing: 'annual' })
  })

  test('--dry-run changes nothing', async () => {
    const replies = { [CURRENT]: { body: subscription() }, [PREVIEW]: { body: preview() } }
    const ended = await run(replies, 'change', 'elite', '--dry-run', '--json=preview')
    expect(JSON.parse(ended.stdout)).toEqual({ preview: preview() })
    const free = { ...PLANS, [CURRENT]: { body: noSubscription() } }
    expect((await run(free, 'change', 'pro', '--dry-run')).exitCode).toBe(0)
    expect(paths().filter((path) => path.startsWith('POST'))).toEqual([])
  })

  test('the present plan changes nothing; chosen again, it takes a pending change back', async () => {
    const same = await run({ [CURRENT]: { body: subscription() } }, 'change', 'pro')
    expect(same).toMatchObject({ exitCode: 0, stderr: 'Nothing changes: Pro, paid monthly.\n' })
    expect(paths()).toEqual([CURRENT])
    const pendingChange = {
      plan: 'pro',
      billing: 'annual',
      at: '2026-06-12T08:30:00.000Z',
    } as const
    const back = {
      [CURRENT]: { body: subscription({ pendingChange }) },
      [PREVIEW]: { body: preview({ kind: 'unchanged' }) },
      [CHANGE]: { body: { message: 'Pro stays.', checkoutUrl: null, status: STATUS } },
    }
    const ended = await run(back, 'change', 'pro', '--monthly', '--yes')
    expect(ended.stderr).toBe('Pro stays.\n')
    expect(paths().at(-1)).toBe(CHANGE)
  })

  test.each([
    [['free'], 'To return to the free plan, cancel: homing plan cancel'],
    [['elit'], 'Did you mean elite?'],
    [['pro', '--monthly', '--annual'], '--monthly'],
    [['pro', '--timeout', '9'], '--timeout takes a length'],
  ])('%j is refused before a call', async (args, message) => {
    const ended = await run({}, 'change', ...args)
    expect([ended.exitCode, t.asked]).toEqual([64, []])
    expect(ended.stderr).toContain(message)
  })

  test('the way of payment of a subscription does not change', async () => {
    const ended = await run({ [CURRENT]: { body: subscription() } }, 'change', 'elite', '--paypal')
    expect([ended.exitCode, paths()]).toEqual([64, [CURRENT]])
  })

  test.each([
    ['stripe', '--paypal', 'paypal'],
    ['paypal', '--card', 'stripe'],
  ] as const)(
    'a cancelled subscription at %s can be followed by another one with %s',
    async (provider, flag, next) => {
      const endsAt = '2026-06-12T08:30:00.000Z'
      const canceled = subscription({ status: 'canceled', provider, endsAt })
      const replies = { ...PLANS, [CURRENT]: { body: canceled } }
      const pays = { ...replies, [CHECKOUT]: { body: { approvalUrl: PAYPAL_PAGE } } }
      const ended = await run(pays, 'change', 'pro', flag)
      expect(ended).toMatchObject({ exitCode: 0 })
      expect(ended.stdout).toContain(`begins\t${endsAt}\n${PAYPAL_PAGE}\n`)
      expect(ended.stderr).toContain('The first payment is due on 2026-06-12')
      expect(sent()).toEqual({ plan: 'pro', billing: 'monthly', provider: next })
    },
  )

  test.each([
    ['payments-unavailable', 503, 8],
    ['provider-unavailable', 502, 7],
    ['subscription-exists', 409, 6],
  ] as const)('a refusal with %s has its exit code', async (code, status, exitCode) => {
    const replies = { ...PLANS, [CURRENT]: { body: noSubscription() } }
    const refused = { ...replies, [CHECKOUT]: problem(status, code) }
    expect((await run(refused, 'change', 'pro')).exitCode).toBe(exitCode)
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', ''])(
    'the browser does not get %j',
    async (checkoutUrl) => {
      const replies = { ...PLANS, [CURRENT]: { body: noSubscription() } }
      const ended = await run(
        { ...replies, [CHECKOUT]: { body: { checkoutUrl } } },
        'change',
        'pro',
      )
      expect(ended.exitCode).toBe(1)
      expect(ended.stderr).toMatch(/^The service named no page/m)
    },
  )
})

describe('cancel, resume, refund, payment-method', () => {
  const CANCEL = 'POST /api/payments/cancel-subscription'
  const REFUND = 'POST /api/payments/refund'
  const canceled = { ...STATUS, status: 'canceled', endsAt: '2026-06-12T08:30:00.000Z' }

  test('a cancellation needs a yes, and says until when the plan is kept', async () => {
    const replies = { [CANCEL]: { body: { message: 'Cancelled.', status: canceled } } }
    expect((await run(replies, 'cancel')).exitCode).toBe(64)
    expect(t.asked).toEqual([])
    expect(await run(replies, 'cancel', '--yes')).toEqual({
      exitCode: 0,
      stdout: '2026-06-12T08:30:00.000Z\n',
      stderr: 'Cancelled.\nKeep it: homing plan resume\n',
    })
    const json = await run({}, 'cancel', '-y', '--json=message,status')
    expect(JSON.parse(json.stdout)).toEqual({ message: 'Cancelled.', status: 'canceled' })
  })

  test('an account without a subscription is told how to buy one', async () => {
    const ended = await run({ [CANCEL]: problem(409, 'no-subscription') }, 'cancel', '--yes')
    expect(ended).toMatchObject({
      exitCode: 5,
      stderr: 'This is why. Buy a plan: homing plan change pro\n',
    })
  })

  test('a resumed subscription says when it is paid next', async () => {
    const body = { message: 'Your subscription continues.', status: STATUS }
    const ended = await run({ 'POST /api/payments/resume-subscription': { body } }, 'resume')
    expect(ended).toEqual({
      exitCode: 0,
      stdout: '2026-06-12T08:30:00.000Z\n',
      stderr: 'Your subscription continues.\n',
    })
  })

  test('a refund needs a yes, and prints the amount', async () => {
    const body = { message: 'Your payment is refunded.', amountCents: 11_000, currency: 'USD' }
    expect((await run({ [REFUND]: { body } }, 'refund')).exitCode).toBe(64)
    expect(t.asked).toEqual([])
    expect(await run({}, 'refund', '--yes')).toMatchObject({ exitCode: 0, stdout: '$110.00\n' })
    expect((await run({ [REFUND]: problem(409, 'conflict') }, 'refund', '-y')).exitCode).toBe(6)
  })

  test('the page of the payment method is printed', async () => {
    const body = { checkoutUrl: CARD_PAGE }
    const ended = await run(
      { 'POST /api/payments/update-payment-method': { body } },
      'payment-method',
    )
    expect(ended).toEqual({ exitCode: 0, stdout: `${CARD_PAGE}\n`, stderr: '' })
  })
})

describe('invoices', () => {
  const LIST = 'GET /api/payments/invoices'
  const SELLER: Record<string, Reply> = {
    'GET /api/operator': {
      body: {
        name: 'Example Networks Ltd',
        address: '1 Example Road, London',
        support_email: 'support@example.net',
        payment_methods: { card: true, paypal: true },
      },
    },
  }
  const credit = invoice({
    id: '18',
    number: 'H-2026-000124',
    kind: 'credit_note',
    totalCents: -11_000,
    correctsNumber: 'H-2026-000123',
  })

  test('a line for each', async () => {
    const ended = await run({ [LIST]: { body: [credit, invoice()] } }, 'invoices')
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout:
        'H-2026-000124\t2026-05-12T08:30:00.000Z\tcredit_note\tpaid\t-11000\tUSD\tstripe\n' +
        'H-2026-000123\t2026-05-12T08:30:00.000Z\tinvoice\tpaid\t11000\tUSD\tstripe\n',
    })
    const none = await run({ [LIST]: { body: [] } }, 'invoices', '--json')
    expect(none.stdout).toBe('[]\n')
  })

  test('one is printed as text', async () => {
    const replies = { ...SELLER, [LIST]: { body: [credit, invoice()] } }
    const ended = await run(replies, 'invoices', 'h-2026-000123')
    expect(ended.stdout).toBe(
      [
        'Invoice H-2026-000123',
        'Issued on 2026-05-12, paid on 2026-05-12 by card',
        '',
        'From',
        'Example Networks Ltd',
        '1 Example Road, London',
        'support@example.net',
        '',
        'Billed to',
        'Ada Lovelace',
        '12 Example Street',
        'Springfield, IL, 62701',
        'United States',
        'ada@example.net',
        '',
        'Pro, annual, 12 May 2026 to 12 May 2027  $110.00',
        'Without tax                               $91.67',
        'Tax (20%)                                 $18.33',
        'Total                                    $110.00',
        '',
      ].join('\n'),
    )
    const note = await run({}, 'invoices', 'H-2026-000124')
    expect(note.stdout).toContain(
      '2026-05-12, refunded on 2026-05-12\nCorrects invoice H-2026-000123\n',
    )
    expect((await run({}, 'invoices', 'H-1')).exitCode).toBe(5)
  })

  test('a text cannot control the terminal', async () => {
    const lines = [{ description: 'Pro\u001B[2J\nx', amountCents: 1 }]
    const replies = { ...SELLER, [LIST]: { body: [invoice({ lines })] } }
    const ended = await run(replies, 'invoices', 'H-2026-000123')
    expect(ended.stdout).toContain('Pro [2J x  ')
  })
})

describe('at a terminal', needs('script'), () => {
  const at = (args: string[], typing: readonly (readonly [string, string])[]) =>
    atTerminal(
      [LAUNCHER, 'plan', ...args],
      typing,
      shellEnvironment({ HOMING_API_KEY: 'ak_key', HOMING_URL: t.server.url }),
    )

  test.each([
    ['y', 0, 'Your plan is Elite now.'],
    ['n', 1, 'Nothing was changed.'],
  ])('a change with the answer %s ends with %i', async (answer, exitCode, told) => {
    Object.assign(t.server.replies, {
      [CURRENT]: { body: subscription() },
      [PREVIEW]: { body: preview() },
      [CHANGE]: {
        body: { message: 'Your plan is Elite now.', checkoutUrl: null, status: STATUS },
      },
    })
    const ended = await at(['change', 'elite'], [['You pay $16.12 now.', `${answer}\r`]])
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.shown).toContain('credit            $8.88')
    expect(ended.shown).toContain(told)
  })

  test('a refused cancellation cancels nothing', async () => {
    const ended = await at(['cancel'], [['Are you sure you want to cancel', 'n\r']])
    expect([ended.exitCode, t.asked]).toEqual([1, []])
    expect(ended.shown).toContain('Nothing was cancelled.')
  })

  test('the list is a table', async () => {
    t.server.replies['GET /api/payments/invoices'] = { body: [invoice()] }
    const { shown } = await at(['invoices'], [])
    expect(shown).toMatch(/^NUMBER +ISSUED +KIND +STATE +TOTAL +BY\n/)
    expect(shown).toMatch(/\nH-2026-000123 +2026-05-12 +invoice +paid +\$110\.00 +card\n/)
  })
})
