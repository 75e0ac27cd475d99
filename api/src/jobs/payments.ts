/** The repeated work of payments: events, duties, and what follows from time. */
import {
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  SUBSCRIPTION_STATES,
} from '@homing/openapi/vocabulary'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobServices } from '../compose.ts'
import { expireCheckouts } from '../payments/checkouts.ts'
import { endDue, endGrants, refetchDue, remindDue } from '../payments/clock.ts'
import { doDuties } from '../payments/do-duties.ts'
import { applyPendingEvents } from '../payments/events.ts'
import { paymentFigures } from '../payments/figures.ts'
import { repeat, type Repeated } from '../process/repeat.ts'

/** A webhook is answered before its event is applied; the owner waits for the result. */
const EVENTS_EVERY_MS = 1_000
const DUTIES_EVERY_MS = 2_000
const CLOCK_EVERY_MS = 15_000
const FIGURES_EVERY_MS = 15_000

/**
 * Starts the jobs. They also run without keys: a plan that was paid for still ends. Each provider has jobs of its own: one
 * that does not answer holds up nothing at the other.
 */
export function startPaymentJobs(services: JobServices, registry: Registry): Repeated[] {
  const { log } = services
  const metrics = paymentMetrics(registry)
  return [
    ...PAYMENT_PROVIDERS.flatMap((name) => [
      repeat(`payment events of ${name}`, EVENTS_EVERY_MS, async () => events(name), log),
      repeat(`payment duties at ${name}`, DUTIES_EVERY_MS, async () => duties(name), log),
    ]),
    repeat('clock of payments', CLOCK_EVERY_MS, async () => runClock(services), log),
    repeat('figures of payments', FIGURES_EVERY_MS, figures, log),
  ]

  async function events(name: PaymentProvider): Promise<void> {
    for (const [outcome, count] of Object.entries(await applyPendingEvents(services, [name])))
      metrics.events.inc({ outcome }, count)
  }

  async function duties(name: PaymentProvider): Promise<void> {
    for (const [outcome, count] of Object.entries(await doDuties(services, [name])))
      metrics.duties.inc({ outcome }, count)
  }

  async function figures(): Promise<void> {
    const now = await paymentFigures(services.knex, services.now())
    for (const state of SUBSCRIPTION_STATES)
      metrics.subscriptions.set({ state }, now.subscriptions[state] ?? 0)
    metrics.pendingEvents.set(now.pendingEvents)
    metrics.openDuties.set(now.openDuties)
    metrics.oldestDuty.set(now.oldestDutySeconds)
  }
}

/** Everything of payments that follows from time. A failure of one does not stop the others. */
export async function runClock(services: JobServices): Promise<void> {
  const faults: unknown[] = []
  for (const work of [endDue, refetchDue, remindDue, endGrants, expireCheckouts]) {
    try {
      const count = await work(services)
      if (count > 0) services.log.debug({ count }, `payments: ${work.name}`)
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'the clock of payments failed')
}

function paymentMetrics(registry: Registry) {
  const registers = [registry]
  return {
    events: new Counter({
      name: 'homing_payment_events_total',
      help: 'Events of payment providers, by outcome. pending: they are tried again.',
      labelNames: ['outcome'],
      registers,
    }),
    duties: new Counter({
      name: 'homing_payment_duties_total',
      help: 'Calls of payment providers that jobs made, by outcome: done, postponed, refused.',
      labelNames: ['outcome'],
      registers,
    }),
    subscriptions: new Gauge({
      name: 'homing_subscriptions',
      help: 'Subscriptions, by state.',
      labelNames: ['state'],
      registers,
    }),
    pendingEvents: new Gauge({
      name: 'homing_payment_events_pending',
      help: 'Events of payment providers that are not applied yet.',
      registers,
    }),
    openDuties: new Gauge({
      name: 'homing_payment_duties_waiting',
      help: 'Calls of payment providers that remain to be made.',
      registers,
    }),
    oldestDuty: new Gauge({
      name: 'homing_payment_duties_oldest_seconds',
      help: 'How long the oldest of these calls waits.',
      registers,
    }),
  }
}
