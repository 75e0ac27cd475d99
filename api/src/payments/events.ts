/**
 * Events of the providers. An event is stored once and answered; a job reads the object that it names and applies what was
 * read. So events can come in any order, again, late, or not at all.
 */
import type { Knex } from 'knex'
import { PAYMENT_PROVIDERS, type PaymentEventState } from '@homing/openapi/vocabulary'
import { query } from '../database/sql.ts'
import type { ApplyServices } from './apply.ts'
import { syncCheckout } from './checkouts.ts'
import { retryAt } from './duties.ts'
import { type ObjectKind, type ProviderName, ProviderTrouble, type ReadHints } from './provider.ts'
import { providerOf, type Synced, syncSubscription } from './sync.ts'

interface PendingEvent {
  readonly id: string
  readonly provider: ProviderName
  readonly type: string
  readonly object_id: string
  readonly object_kind: ObjectKind
  readonly attempts: number
}

/** Events per run. */
const LIMIT = 200
/** Objects that are read at the same time at one provider: fewer than the worker has connections. */
const AT_ONCE = 4
/** Another job takes the events of one that stopped in the middle. */
const LEASE_MS = 90_000

const CLAIM = `
  update payment_events set due_at = ?, attempts = attempts + 1
  where id in (
    select id from payment_events where state = 'pending' and due_at <= ? and provider = any (?::text[]) order by due_at, id limit ${LIMIT}
    for update skip locked)
  returning id, provider, type, object_id, object_kind, attempts`

/** What became of events, by outcome. */
export type EventOutcomes = Partial<Record<PaymentEventState, number>>

/**
 * Applies the events that are due. Events that name the same object need one read.
 *
 * @param names the providers whose events are applied
 * @returns how many had which outcome; `pending`: they are tried again
 */
export async function applyPendingEvents(
  services: ApplyServices,
  names: readonly ProviderName[] = PAYMENT_PROVIDERS,
): Promise<EventOutcomes> {
  const { knex, now } = services
  const at = now()
  const lease = new Date(at.getTime() + LEASE_MS)
  const claimed = await query<PendingEvent>(knex, CLAIM, [lease, at, names])
  const byObject = Map.groupBy(
    claimed,
    (event) => `${event.provider} ${event.object_kind} ${event.object_id}`,
  )
  const waiting = [...byObject.values()]
  const outcomes: EventOutcomes = {}
  async function work(): Promise<void> {
    for (let events = waiting.shift(); events !== undefined; events = waiting.shift()) {
      const state = await applyEvents(services, events)
      outcomes[state] = (outcomes[state] ?? 0) + events.length
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

interface Outcome {
  readonly state: PaymentEventState
  readonly error: string | null
  readonly subscriptionId: string | null
}

/** Applies events that name the same object. */
async function applyEvents(
  services: ApplyServices,
  events: readonly PendingEvent[],
): Promise<PaymentEventState> {
  const { knex, now, log } = services
  const [first] = events
  if (first === undefined) return 'ignored'
  const hints = hintsOf(events)
  try {
    const synced = await readObject(services, first, hints)
    if (isHintLost(synced, hints)) return await putOff(services, events, 'pending', STALE)
    const { state, error, subscriptionId } = outcomeOf(synced)
    await query(
      knex,
      'update payment_events set state = ?, error = ?, subscription_id = ?, applied_at = ? where id = any (?::bigint[])',
      [state, error, subscriptionId, now(), events.map(({ id }) => id)],
    )
    return state
  } catch (error) {
    const isTrouble = error instanceof ProviderTrouble
    if (!isTrouble) log.error({ err: error, event: first.id }, 'an event was not applied')
    const isRefused = isTrouble && error.kind === 'refused'
    return putOff(services, events, isRefused ? 'failed' : 'pending', errorText(error))
  }
}

const STALE = 'A later read of the subscription was applied first. The event is read again.'

/**
 * Whether a later read was applied that did not have the hint. Other reads say no less than that one, but a hint is known
 * from its event alone: PayPal need not show a reversal. Each repetition is a new read, so only another one that begins
 * during it can make it stale.
 */
const isHintLost = (synced: Synced | undefined, { disputeId, isReversed }: ReadHints): boolean =>
  synced?.outcome === 'stale' && (disputeId !== undefined || isReversed === true)

/** Keeps events that were not applied. Those that stay `pending` are applied again after a wait that grows to a minute. */
async function putOff(
  { knex, now }: ApplyServices,
  events: readonly PendingEvent[],
  state: 'pending' | 'failed',
  error: string,
): Promise<PaymentEventState> {
  const due = retryAt(events[0]?.attempts ?? 1, now())
  await query(
    knex,
    'update payment_events set state = ?, error = ?, due_at = ? where id = any (?::bigint[])',
    [state, error, due, events.map(({ id }) => id)],
  )
  return state
}

/** A text for administrators. Errors of the database can quote rows, so only those of providers are shown. */
export function errorText(error: unknown): string {
  return error instanceof ProviderTrouble
    ? error.message
    : 'An internal error occurred. See the log.'
}

async function readObject(
  services: ApplyServices,
  { provider, object_kind, object_id }: PendingEvent,
  hints: ReadHints,
): Promise<Synced | undefined> {
  if (object_kind === 'checkout') return syncCheckout(services, provider, object_id)
  const paidBy = async (paymentId: string) => subscriptionPaidBy(services.knex, provider, paymentId)
  const subscriptionId =
    object_kind === 'subscription'
      ? object_id
      : ((await paidBy(object_id)) ??
        (await providerOf(services, provider).subscriptionOf(object_kind, object_id, paidBy)))
  return subscriptionId === undefined
    ? undefined
    : syncSubscription(services, provider, subscriptionId, hints)
}

/** The subscription of a payment or invoice that is in our books. Undefined: it is not. */
async function subscriptionPaidBy(
  knex: Knex,
  provider: ProviderName,
  objectId: string,
): Promise<string | undefined> {
  const [row] = await query<{ provider_id: string }>(
    knex,
    `select s.provider_id from invoices i join invoice_accounts a on a.invoice_id = i.id
     join subscriptions s on s.id = a.subscription_id
     where i.provider = ? and i.provider_id = ? and i.kind = 'invoice' and s.provider = i.provider`,
    [provider, objectId],
  )
  return row?.provider_id
}

const hintsOf = (events: readonly PendingEvent[]): ReadHints => ({
  disputeId: events.find(({ object_kind: kind }) => kind === 'dispute')?.object_id,
  isReversed: events.some(({ type }) => /^PAYMENT\.\w+\.REVERSED$/.test(type)),
})

function outcomeOf(synced: Synced | undefined): Outcome {
  const nothing = { error: null, subscriptionId: null }
  if (synced === undefined || synced.outcome === 'gone') return { state: 'ignored', ...nothing }
  if (synced.outcome === 'unknown-account') return { state: 'unknown-account', ...nothing }
  const { subscriptionId } = synced
  if (synced.outcome === 'failed') return { state: 'failed', error: synced.error, subscriptionId }
  return { state: 'applied', error: null, subscriptionId }
}
