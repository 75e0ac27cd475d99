/**
 * What follows from time alone: reads that are due, plans whose grace or paid period is over, and reminders. The times are
 * ours, so a provider that sends nothing changes nothing.
 */
import { PAYMENT_GRACE_DAYS } from '@homing/openapi/vocabulary'
import { query } from '../database/sql.ts'
import { lockAccount } from '../feed/lock-order.ts'
import { changeGrants } from '../feed/account-grants.ts'
import { settlePaidPlan } from './account-plan.ts'
import type { ApplyServices } from './apply.ts'
import { retryAt } from './duties.ts'
import { enqueueDue, enqueueMails } from './mails-due.ts'
import { ProviderTrouble, type ProviderName } from './provider.ts'
import { COLUMNS, lockSubscription, type SubscriptionRow } from './rows.ts'
import { syncSubscription } from './sync.ts'
import { applyFact } from './write-subscription.ts'
import type { PaymentMailEvent } from '../queue/payment-mail.ts'

/** Subscriptions per run. */
const LIMIT = 200
/** Subscriptions that are read at the same time. */
const AT_ONCE = 4

type Place = Pick<SubscriptionRow, 'id' | 'provider' | 'provider_id' | 'user_id'>

/** Reads subscriptions that were not read for a day, or whose period is over. @returns how many were read */
export async function refetchDue(services: ApplyServices): Promise<number> {
  const { knex, now } = services
  // Put off first: a read that fails, or a job that stops, does not hold up the others.
  const due = await query<Place>(
    knex,
    `update subscriptions set next_refetch_at = ? where id in (
       select id from subscriptions where next_refetch_at <= ? and provider = any (?::text[])
       order by next_refetch_at limit ${LIMIT} for update skip locked)
     returning id, provider, provider_id, user_id`,
    [retryAt(Number.MAX_SAFE_INTEGER, now()), now(), Object.keys(services.payments)],
  )
  const isRead = readsOf(services)
  let read = 0
  await each(due, async ({ provider, provider_id }) => {
    if (await isRead(provider, provider_id)) read += 1
  })
  return read
}

/** After this much time that was lost with a provider, the rest of a run does without its reads. */
const PATIENCE_MS = 30_000

type Read = (provider: ProviderName, providerId: string) => Promise<boolean>

/**
 * Reads of one run. A read is true if the provider answered, and the answer was applied. A fault of one does not hold up the
 * others, and neither does a provider that lets every call wait.
 */
function readsOf(services: ApplyServices): Read {
  const { log, now } = services
  const lostMs = { stripe: 0, paypal: 0 }
  return async (provider, providerId) => {
    if (lostMs[provider] > PATIENCE_MS) return false
    const begin = now().getTime()
    try {
      await syncSubscription(services, provider, providerId)
      return true
    } catch (error) {
      if (error instanceof ProviderTrouble) {
        lostMs[provider] += now().getTime() - begin
        const { code, message } = error
        log.warn({ provider, code }, `a subscription was not read: ${message}`)
      } else log.error({ err: error, provider }, 'a subscription was not applied')
      return false
    }
  }
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items]
  async function run(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

/**
 * Ends plans whose time is over. A missing payment is looked for once more before, so that one of the last minute
 * counts; while the provider does not answer, such a plan goes on. A cancelled plan ends by our clock. Without keys of the
 * provider, nobody can pay any more, and every plan ends by our clock.
 *
 * @returns how many ended
 */
export async function endDue(services: ApplyServices): Promise<number> {
  const { knex, now } = services
  const due = await query<Place & Pick<SubscriptionRow, 'first_failed_at'>>(
    knex,
    `select id, provider, provider_id, user_id, first_failed_at from subscriptions
     where state in ('canceled', 'past_due') and ends_at <= ?
     order by first_failed_at is not null, ends_at limit ${LIMIT}`,
    [now()],
  )
  const isRead = readsOf(services)
  let endedCount = 0
  await each(due, async (place) => {
    const hasKeys = services.payments[place.provider] !== undefined
    const wasRead = hasKeys && (await isRead(place.provider, place.provider_id))
    if (hasKeys && !wasRead && place.first_failed_at !== null) return
    if (await passTime(services, place)) endedCount += 1
  })
  return endedCount
}

/** Applies our clock to one subscription. @returns whether it has ended */
async function passTime(services: ApplyServices, place: Place): Promise<boolean> {
  const { knex, now } = services
  return knex.transaction(async (trx) => {
    const account = place.user_id === null ? undefined : await lockAccount(trx, place.user_id)
    const before = await lockSubscription(trx, place.provider, place.provider_id)
    if (before === undefined) return false
    const at = now()
    const after = await applyFact(trx, before, { kind: 'time' }, { now: at, reason: 'time' })
    await enqueueMails(trx, services, { before, after, invoices: [], now: at })
    if (account !== undefined) await settlePaidPlan(trx, services, account.id, at)
    return after.state === 'ended'
  })
}

interface Reminder {
  readonly event: PaymentMailEvent
  /** The condition of due subscriptions; each `?` is the present time. */
  readonly due: string
  /** What the mail is about: it is sent once about the same. */
  readonly about: 'first_failed_at' | 'period_end' | 'card_expires_at'
}

const GRACE_HALF_DAYS = PAYMENT_GRACE_DAYS / 2

const REMINDERS: readonly Reminder[] = [
  {
    event: 'grace-last-day',
    due: `state = 'past_due' and first_failed_at <= ?::timestamptz - interval '${PAYMENT_GRACE_DAYS - 1} days'`,
    about: 'first_failed_at',
  },
  {
    event: 'grace-half',
    due: `state = 'past_due' and first_failed_at <= ?::timestamptz - interval '${GRACE_HALF_DAYS} days'
          and first_failed_at > ?::timestamptz - interval '${PAYMENT_GRACE_DAYS - 1} days'`,
    about: 'first_failed_at',
  },
  {
    event: 'renewal',
    due: `state = 'active' and period_end > ?::timestamptz and period_end <= ?::timestamptz + interval '14 days'
          and price_id in (select id from plan_prices where billing = 'annual')`,
    about: 'period_end',
  },
  {
    event: 'card-expiring',
    due: `state = 'active' and card_expires_at < period_end and card_expires_at <= ?::timestamptz + interval '30 days'`,
    about: 'card_expires_at',
  },
]

/** Adds the jobs of reminders that are due. @returns how many */
export async function remindDue(services: ApplyServices): Promise<number> {
  let mails = 0
  for (const reminder of REMINDERS) mails += await remind(services, reminder)
  return mails
}

async function remind(services: ApplyServices, { event, due, about }: Reminder): Promise<number> {
  const { knex, now } = services
  const times = Array.from({ length: due.split('?').length - 1 }, now)
  const rows = await query<SubscriptionRow>(
    knex,
    `select ${COLUMNS} from subscriptions s where ${due} and user_id is not null
       and (mailed ->> '${event}') is distinct from to_char(${about} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
     order by id limit ${LIMIT}`,
    times,
  )
  let mails = 0
  for (const row of rows) {
    mails += await knex.transaction(async (trx) => {
      if (row.user_id !== null) await lockAccount(trx, row.user_id)
      const locked = await lockSubscription(trx, row.provider, row.provider_id)
      const what = locked?.[about]
      if (locked === undefined || what === null || what === undefined) return 0
      return enqueueDue(trx, services, locked, [{ event, about: what.toISOString() }], now())
    })
  }
  return mails
}

const EXPIRED_GRANTS = `
  select distinct user_id from plan_grants where until <= ? order by user_id limit ${LIMIT}`

/** Takes plans whose grant has an end that is over. @returns the number of accounts */
export async function endGrants(services: ApplyServices): Promise<number> {
  const { knex, now } = services
  const due = await query<{ user_id: string }>(knex, EXPIRED_GRANTS, [now()])
  for (const { user_id: userId } of due) {
    await knex.transaction(async (trx) => {
      if ((await lockAccount(trx, userId)) === undefined) return
      await changeGrants(trx, services, { userId, change: {}, now: now() })
    })
  }
  return due.length
}
