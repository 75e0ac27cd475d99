/** Edges of the state machine: each case fails when one line of the module says something else. */
import { describe, expect, test } from 'vitest'
import type { ReadInvoice, ReadSubscription } from '../provider.ts'
import { next } from './next.ts'
import { type Fact, type Kept, type Step, UNKNOWN } from './subscription.ts'
import { day, invoice, reading } from './test-support.ts'

type Fields = Partial<ReadSubscription>
const read = (fields: Fields = {}, more: object = {}): Fact => ({
  kind: 'read',
  read: reading(fields),
  ...more,
})
const stop: Fact = { kind: 'stop', by: 'owner' }
const end: Fact = { kind: 'end', reason: 'administrator' }
const time: Fact = { kind: 'time' }
const failing: Fields = { standing: 'unpaid', firstFailedAt: day(0.5), periodStart: day(0.5) }
const paypal: Fields = { provider: 'paypal', periodEnd: null }
const refund = { id: 're_1', amountCents: 1_000, at: day(2), hasSucceeded: true }
const dispute = {
  id: 'dp_1',
  amountCents: 1_000,
  openedAt: day(2),
  isWithdrawn: true,
  returned: null,
}

/** Applies facts in their order. */
function after(facts: readonly Fact[], now = day(4)): Step {
  const start: Step = { after: UNKNOWN, duties: [] }
  return facts.reduce((step, fact) => next(step.after, fact, now), start)
}

const CASES: readonly (readonly [string, readonly Fact[], Partial<Kept>, Date?])[] = [
  [
    'a read from before the end of a resumption does not bring the stop back',
    [
      read(),
      stop,
      { kind: 'resume' },
      { kind: 'resumed', at: day(3) },
      read({ readAt: day(2), cancelAt: day(30) }),
    ],
    { state: 'active' },
  ],
  [
    'a read before a resumption is carried out shows a stop that counts no more',
    [read(), read({ readAt: day(2), cancelAt: day(30) }, { isResuming: true })],
    { state: 'active', stop: null },
  ],
  [
    'the first confirmation of a stop counts',
    [
      read(),
      stop,
      { kind: 'stopped', at: day(1) },
      { kind: 'stopped', at: day(3) },
      read({ readAt: day(2) }),
    ],
    { state: 'active', stop: null },
  ],
  [
    'who stopped it is remembered when the provider shows it',
    [read(), stop, read({ readAt: day(2), cancelAt: day(30) })],
    { stop: { by: 'owner', confirmedAt: day(2) } },
  ],
  [
    'a stop is not taken back by a read of a payment that is not confirmed',
    [
      read(),
      stop,
      { kind: 'stopped', at: day(1) },
      read({ readAt: day(2), standing: 'incomplete' }),
    ],
    { stop: { by: 'owner', confirmedAt: day(1) } },
  ],
  ['the end of the paid time is over', [read(), stop, time], { state: 'ended' }, day(30)],
  [
    'at the end of the paid time, nothing can be resumed',
    [read(), stop, { kind: 'resume' }],
    { state: 'canceled', endsAt: day(30) },
    day(30),
  ],
  [
    'a price that is unknown is paid until the end of the paid time, and its grace begins then',
    [read(), { kind: 'unpriced' }],
    { state: 'past_due', firstFailedAt: day(30), endsAt: day(44) },
    day(30),
  ],
  [
    'a price that is unknown takes nothing of the paid time',
    [read(), { kind: 'unpriced' }],
    { state: 'active', firstFailedAt: null, endsAt: null },
    day(29),
  ],
  [
    'a cancelled plan whose price is unknown has no time of grace',
    [read(), stop, { kind: 'unpriced' }],
    { state: 'canceled', endsAt: day(30), firstFailedAt: null },
    day(31),
  ],
  [
    'a price that is unknown begins no second time of grace',
    [read(failing), { kind: 'unpriced' }],
    { state: 'past_due', endsAt: day(14.5) },
  ],
  [
    'it ended when its time was over, however late that is seen',
    [read(), stop, time],
    { endedAt: day(30), endsAt: day(30), endReason: 'canceled' },
    day(35),
  ],
  [
    'the end of grace is not a cancellation',
    [read(failing), time],
    { state: 'ended', endedAt: day(14.5), endReason: 'unpaid' },
    day(15),
  ],
  [
    'grace that was over at the time of the read',
    [read({ ...failing, readAt: day(15) })],
    { state: 'ended', endReason: 'unpaid' },
  ],
  [
    'a cancelled plan with a missing payment keeps its grace',
    [read(), stop, read({ ...failing, readAt: day(2) })],
    { state: 'canceled', endsAt: day(14.5) },
  ],
  [
    'two reads of the same moment: the first counts',
    [read(), read({ standing: 'ended' })],
    { state: 'active' },
  ],
  [
    'a start that is no longer told is kept',
    [read(), read({ readAt: day(2), startedAt: null })],
    { startedAt: day(0) },
  ],
  [
    'what it waits for is kept',
    [read({}, { waitsUntil: day(10) }), read({ readAt: day(2) })],
    { state: 'incomplete', waitsUntil: day(10) },
  ],
  [
    'a renewal after a stop that the provider never learned of',
    [read(), stop, read({ readAt: day(31), periodStart: day(30), periodEnd: day(60) })],
    { state: 'ended', endedAt: day(30), endReason: 'canceled', readAt: day(31) },
  ],
  [
    'a renewal after a stop that was taken back at the provider',
    [
      read(),
      stop,
      { kind: 'stopped', at: day(2) },
      read({ readAt: day(31), periodStart: day(30), periodEnd: day(60) }),
    ],
    { state: 'active', stop: null },
  ],
  [
    'nothing is paid before it is confirmed',
    [read({ standing: 'incomplete' })],
    { paidUntil: null },
  ],
  [
    'while a payment is missing, the new period is not paid',
    [read(failing)],
    { paidUntil: day(0.5) },
  ],
  [
    'a failure without a time began when it was seen first',
    [read({ standing: 'unpaid' }), read({ standing: 'unpaid', readAt: day(3) })],
    { firstFailedAt: day(1), endsAt: day(15) },
  ],
  [
    'a suspension for a missing payment is not a stop',
    [read({ ...failing, ...paypal, standing: 'paused' })],
    { state: 'past_due', stop: null },
  ],
  [
    'what PayPal cancelled ends with the paid time, also when that is over already',
    [read({ ...paypal, standing: 'ended', endedAt: day(1), readAt: day(31) })],
    { state: 'ended', endedAt: day(30), endReason: 'canceled' },
  ],
  [
    'an end at the provider before a payment',
    [read({ standing: 'ended', startedAt: null, invoices: [] })],
    { state: 'ended', endReason: 'never-paid' },
  ],
  [
    'an end at the provider for a missing payment',
    [read({ ...failing, standing: 'ended' })],
    { state: 'ended', endReason: 'unpaid' },
  ],
  ['an end at the provider', [read({ standing: 'ended' })], { endReason: 'provider' }],
  [
    'an end at the provider after a stop',
    [read(), stop, read({ readAt: day(2), standing: 'ended' })],
    { endReason: 'canceled' },
  ],
  [
    'a payment that PayPal took back',
    [
      read({
        invoices: [invoice({ disputes: [{ ...dispute, status: 'reversed', closedAt: day(3) }] })],
      }),
    ],
    { state: 'ended', endReason: 'disputed', endedAt: day(3) },
  ],
  [
    'a refund that failed ends nothing',
    [read({ invoices: [invoice({ refunds: [{ ...refund, hasSucceeded: false }] })] })],
    { state: 'active' },
  ],
  [
    'the payment that was made last counts, and not the one that is listed last',
    [
      read({
        invoices: [
          invoice({ id: 'in_2', paymentId: 'py_2', paidAt: day(3) }),
          invoice({ refunds: [refund] }),
        ],
      }),
    ],
    { state: 'active' },
  ],
  [
    'an invoice of nothing is not a payment',
    [
      read({
        invoices: [
          invoice({ refunds: [refund] }),
          invoice({ id: 'in_2', paymentId: null, paidCents: 0, paidAt: day(3) }),
        ],
      }),
    ],
    { state: 'ended', endReason: 'refunded' },
  ],
]

const cases = CASES.map(([what, facts, kept, now]) => ({ what, facts, kept, now }))
test.each(cases)('$what', ({ facts, kept, now }) => {
  expect(after(facts, now).after).toMatchObject(kept)
})

test('a stop that is confirmed after the read is not done again', () => {
  expect(
    after([read(), stop, { kind: 'stopped', at: day(3) }, read({ readAt: day(2) })]).duties,
  ).toEqual([])
})

describe('after the end, is paid back', () => {
  /** Ended on day 4. */
  const paidBack = (fields: Partial<ReadInvoice>) =>
    after([read(), end, read({ readAt: day(6), standing: 'ended', invoices: [invoice(fields)] })])
      .duties

  test.each<[string, Partial<ReadInvoice>, number | undefined]>([
    ['nothing that was paid before', {}, undefined],
    ['nothing that was paid at that moment', { paidAt: day(4) }, undefined],
    ['a payment after it', { paidAt: day(5) }, 1_000],
    ['a payment for a period that never began', { paidAt: day(3), periodStart: day(4) }, 1_000],
    ['what is left of it', { paidAt: day(5), refunds: [{ ...refund, amountCents: 400 }] }, 600],
    [
      'all of it after a refund that failed',
      { paidAt: day(5), refunds: [{ ...refund, hasSucceeded: false }] },
      1_000,
    ],
    [
      'nothing that the payer disputes',
      { paidAt: day(5), disputes: [{ ...dispute, status: 'open', closedAt: null }] },
      undefined,
    ],
  ])('%s', (_what, fields, amountCents) => {
    const wanted = { kind: 'refund', paymentId: 'py_1', amountCents, currency: 'USD' }
    expect(paidBack(fields)).toEqual(amountCents === undefined ? [] : [wanted])
  })
})
