/** The state machine: its table in the documentation, and its states against a small model. */
import { SUBSCRIPTION_STATES } from '@homing/openapi/vocabulary'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ReadSubscription } from '../provider.ts'
import { graceEnd, next } from './next.ts'
import { type Fact, type Kept, type Step, UNKNOWN } from './subscription.ts'
import { day, invoice, READS, reading } from './test-support.ts'

const read = (fields: Partial<ReadSubscription> = {}): Fact => ({
  kind: 'read',
  read: reading(fields),
})
const after = (kept: Kept, fact: Fact, now = day(4)): Step => next(kept, fact, now)

/** A subscription in each state, known before what the table lets become known. */
const early = { readAt: day(0.1) }
const active = after(UNKNOWN, read(early)).after
const IN_STATE: Readonly<Record<(typeof SUBSCRIPTION_STATES)[number], Kept>> = {
  incomplete: after(UNKNOWN, read({ ...early, ...READS['is not paid'] })).after,
  active,
  past_due: after(UNKNOWN, read({ ...early, ...READS['a payment is missing'] })).after,
  canceled: after(active, { kind: 'stop', by: 'owner' }).after,
  ended: after(active, { kind: 'end', reason: 'administrator' }).after,
  disputed: after(UNKNOWN, read({ ...early, ...READS['a dispute is open'] })).after,
}

const FACTS: Readonly<Record<string, { readonly fact: Fact; readonly now?: Date }>> = {
  ...Object.fromEntries(
    Object.entries(READS).map(([name, fields]) => [name, { fact: read(fields) }]),
  ),
  'the owner cancels': { fact: { kind: 'stop', by: 'owner' } },
  'the owner resumes': { fact: { kind: 'resume' } },
  'an administrator ends it': { fact: { kind: 'end', reason: 'administrator' } },
  'its time is over': { fact: { kind: 'time' }, now: day(31) },
}

const cell = ({ after: kept, duties }: Step) => {
  const done = duties.map(({ kind }) => kind).join(', ')
  return done === '' ? kept.state : `${kept.state} (${done})`
}

/** The table of the documentation, as it must be. */
function table(): string {
  const head = `| event | ${SUBSCRIPTION_STATES.join(' | ')} |`
  const rule = `| --- |${' --- |'.repeat(SUBSCRIPTION_STATES.length)}`
  const rows = Object.entries(FACTS).map(([name, { fact, now }]) => {
    const cells = SUBSCRIPTION_STATES.map((state) => cell(after(IN_STATE[state], fact, now)))
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return [head, rule, ...rows].join('\n')
}

test('the states of the examples are those of the table', () => {
  for (const state of SUBSCRIPTION_STATES) expect(IN_STATE[state].state).toBe(state)
})

test('docs/reference/subscriptions.md has the table of the module', () => {
  const page = new URL('../../../../docs/reference/subscriptions.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toContain(table())
})

describe('a single case', () => {
  test('grace ends 14 days after the first failure, whatever is read later', () => {
    const failed = read({ ...READS['a payment is missing'], readAt: day(5) })
    const kept = after(IN_STATE.past_due, failed).after
    expect(kept.endsAt).toEqual(graceEnd(day(0.5)))
  })

  test('a stop that the owner takes back at the provider does not count', () => {
    const stopped = after(IN_STATE.canceled, { kind: 'stopped', at: day(1) }).after
    expect(after(stopped, read({ readAt: day(0.5) })).after.state).toBe('canceled')
    expect(after(stopped, read({ readAt: day(2) })).after.state).toBe('active')
  })

  test.each([
    ['before the end of the period', {}, day(5), day(5)],
    ['after the next renewal', {}, day(50), day(50)],
    ['before the end of the grace', READS['a payment is missing'], day(5), day(5)],
    ['after the end of the grace', READS['a payment is missing'], day(30), day(14.5)],
  ])('an end that was set at the provider %s counts', (_, fields, cancelAt, endsAt) => {
    const kept = after(IN_STATE.active, read({ ...fields, cancelAt })).after
    expect(kept).toMatchObject({ state: 'canceled', endsAt })
    const justBefore = new Date(endsAt.getTime() - 1)
    expect(after(kept, { kind: 'time' }, justBefore).after.state).toBe('canceled')
    expect(after(kept, { kind: 'time' }, endsAt).after.state).toBe('ended')
  })

  test('a stop that the provider does not show yet is done again', () => {
    expect(cell(after(IN_STATE.canceled, read()))).toBe('canceled (cancel)')
  })

  test('a payment after the end, and any of a surplus one, is paid back', () => {
    const late = invoice({ id: 'in_2', paymentId: 'py_2', issuedAt: day(6), paidAt: day(6) })
    const paid = read({ readAt: day(7), invoices: [invoice(), late] })
    const { duties } = after(IN_STATE.ended, paid)
    expect(duties).toEqual([
      { kind: 'end' },
      { kind: 'refund', paymentId: 'py_2', amountCents: 1_000, currency: 'USD' },
    ])
    const surplus = after(active, { kind: 'end', reason: 'surplus' }).after
    expect(after(surplus, paid).duties.map(({ kind }) => kind)).toEqual(['end', 'refund', 'refund'])
  })

  test('what was paid ends when the provider said so while it renewed, until another payment comes', () => {
    const paused = { standing: 'paused', periodEnd: null, readAt: day(2) } as const
    const running = next(UNKNOWN, { kind: 'read', read: reading({ periodEnd: day(29) }) }, day(1))
    const stopped = next(running.after, { kind: 'read', read: reading(paused) }, day(2))
    expect(stopped.after).toMatchObject({ state: 'canceled', endsAt: day(29) })
    const renewal = invoice({ id: 'in_2', paidAt: day(29), periodEnd: day(59) })
    const invoices = [invoice(), renewal]
    const later = reading({ ...paused, readAt: day(30), invoices })
    const renewed = next(stopped.after, { kind: 'read', read: later }, day(30))
    expect(renewed.after).toMatchObject({ paidUntil: day(59) })
  })

  test('one that waits for another begins at its time', () => {
    const fact: Fact = { kind: 'read', read: reading(), waitsUntil: day(10) }
    const waiting = next(UNKNOWN, fact, day(2)).after
    expect(waiting.state).toBe('incomplete')
    expect(next(waiting, read({ readAt: day(10) }), day(10)).after.state).toBe('active')
  })
})

/** What the state is, said in one sentence for each state; the order of facts does not occur. */
function modelOf(last: ReadSubscription, isStopped: boolean, now: Date): string {
  const disputes = last.invoices.flatMap((each) => each.disputes.map(({ status }) => status))
  const isRefunded = last.invoices.some(({ refunds, paidCents }) =>
    refunds.some(({ amountCents }) => amountCents >= paidCents),
  )
  const isOver = last.standing === 'ended' && last.provider === 'stripe'
  if (disputes.includes('lost') || isRefunded || isOver) return 'ended'
  if (last.standing === 'incomplete') return 'incomplete'
  if (disputes.includes('open')) return 'disputed'
  const stops = isStopped || last.cancelAt !== null || ['paused', 'ended'].includes(last.standing)
  if (last.firstFailedAt !== null && graceEnd(last.firstFailedAt) <= now) return 'ended'
  if (stops) return day(30) <= now && last.firstFailedAt === null ? 'ended' : 'canceled'
  return last.firstFailedAt === null ? 'active' : 'past_due'
}

const FINAL = new Set<keyof typeof READS>([
  'is ended (Stripe)',
  'the latest payment is refunded in full',
  'a dispute is lost, or PayPal reversed a payment',
])
/** A subscription belongs to one provider, and what is final happens at most once, at last. */
const history = fc
  .record({
    isPaypal: fc.boolean(),
    names: fc.array(
      fc.constantFrom(
        ...(Object.keys(READS) as (keyof typeof READS)[]).filter((name) => !FINAL.has(name)),
      ),
      { minLength: 1, maxLength: 12 },
    ),
    last: fc.option(fc.constantFrom(...FINAL)),
    seed: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ isPaypal, names, last, seed }) => {
    const provider = isPaypal ? ('paypal' as const) : ('stripe' as const)
    const fits = (name: keyof typeof READS) => {
      const fields: Partial<ReadSubscription> = READS[name]
      const isOwn = name === 'does not renew' ? 'stripe' : (fields.provider ?? provider)
      return isOwn === provider && !(isPaypal && name === 'is ended (Stripe)')
    }
    // PayPal's cancellation is final.
    const cancelled = names.indexOf('is cancelled (PayPal)')
    const until = cancelled < 0 ? names : names.slice(0, cancelled + 1)
    const all = [...until, ...(last === null ? [] : [last])].filter(fits)
    const reads = all.map((name, n) =>
      reading({ ...READS[name], provider, readAt: day(1 + n / 100) }),
    )
    return { reads, seed }
  })
  .filter(({ reads }) => reads.length > 0)

const finish = (facts: readonly Fact[], now: Date) =>
  facts.reduce((kept, fact) => next(kept, fact, now).after, UNKNOWN)

test('facts in any order, repeated and late, end in the state of the model', () => {
  fc.assert(
    fc.property(history, fc.boolean(), ({ reads, seed }, isStopped) => {
      const facts = reads.map((each): Fact => ({ kind: 'read', read: each }))
      const shuffled = [...facts, ...facts, ...facts]
        .map((fact, n) => ({ fact, at: seed[n % seed.length] ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ fact }) => fact)
      const stop: Fact[] = isStopped ? [{ kind: 'stop', by: 'owner' }] : []
      const last = reads.at(-1)
      if (last === undefined) return
      for (const now of [day(4), day(40)]) {
        const inOrder = finish([...facts, ...stop, { kind: 'time' }], now)
        const any = finish([...shuffled, ...stop, { kind: 'time' }], now)
        // Who stopped it, and so the word for its end, is remembered from earlier reads.
        const shape = { stop: null, startedAt: null, endReason: null }
        expect({ ...any, ...shape }).toEqual({ ...inOrder, ...shape })
        expect(any.state).toBe(modelOf(last, isStopped && last.standing !== 'incomplete', now))
      }
    }),
    { numRuns: 500 },
  )
})
