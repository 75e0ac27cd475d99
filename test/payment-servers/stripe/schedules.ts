/** Subscription schedules: https://docs.stripe.com/api/subscription_schedules. Only those of existing subscriptions. */
import { endSubscription } from './collect.ts'
import type { Params } from './form.ts'
import { itemOf, periodEnd } from './lines.ts'
import type { Phase, Schedule } from './objects.ts'
import {
  group,
  groups,
  metadataOf,
  oneOf,
  onlyParams,
  requiredText,
  text,
  whole,
} from './params.ts'
import { recurringPrice } from './subscriptions.ts'
import { invalid, requiredParam } from './trouble.ts'
import type { StripeWorld } from './world.ts'

const END_BEHAVIORS = ['release', 'cancel'] as const
const PHASE_PARAMS = [
  'items',
  'start_date',
  'end_date',
  'duration',
  'proration_behavior',
  'metadata',
  'billing_cycle_anchor',
  'default_payment_method',
  'trial_end',
]

function newPhase(
  price: string,
  start: number,
  end: number,
  proration = 'create_prorations',
): Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: 'usd',
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price,
        price,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: proration,
    start_date: start,
    transfer_data: null,
    trial_end: null,
  }
}

export function createSchedule(world: StripeWorld, params: Params): Schedule {
  onlyParams(params, ['from_subscription', 'metadata', 'end_behavior'])
  const subscription = world.need(
    'subscription',
    requiredText(params, 'from_subscription'),
    'from_subscription',
  )
  if (subscription.schedule !== null)
    throw invalid(
      'You cannot migrate a subscription that is already attached to a schedule.',
      'from_subscription',
    )
  if (subscription.status === 'canceled')
    throw invalid('You cannot migrate a subscription that is canceled.', 'from_subscription')
  const item = itemOf(subscription)
  const { current_period_start: start, current_period_end: end } = item
  const settings = {
    application_fee_percent: null,
    billing_cycle_anchor: 'automatic',
    billing_thresholds: null,
    collection_method: 'charge_automatically',
    default_payment_method: null,
    description: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    on_behalf_of: null,
    transfer_data: null,
  }
  const schedule = world.put('subscription_schedule', {
    id: world.idFor('subscription_schedule'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: null,
    completed_at: null,
    created: world.clock.seconds(),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: settings,
    end_behavior: oneOf(params, 'end_behavior', END_BEHAVIORS) ?? 'release',
    livemode: false,
    metadata: metadataOf(params),
    pause_schedules: [],
    phases: [newPhase(item.price.id, start, end)],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  })
  subscription.schedule = schedule.id
  world.emit('subscription_schedule.created', schedule)
  world.emit('customer.subscription.updated', subscription, { schedule: null })
  return schedule
}

function endOf(
  world: StripeWorld,
  phase: Params,
  start: number,
  price: string,
  param: string,
  isLast: boolean,
): number {
  const given = whole(phase, 'end_date')
  if (given !== undefined) return given
  const duration = group(phase, 'duration')
  if (duration === undefined && !isLast) throw requiredParam(`${param}[end_date]`)
  // A last phase without a length has the length of one interval of its price.
  if (duration === undefined) return periodEnd(start, world.need('price', price))
  const recurring = {
    interval: requiredText(duration, 'interval'),
    interval_count: whole(duration, 'interval_count') ?? 1,
  }
  return periodEnd(start, { ...world.need('price', price), recurring })
}

function phaseOf(
  world: StripeWorld,
  given: Params,
  index: number,
  before: Phase | undefined,
  isLast: boolean,
): Phase {
  const param = `phases[${index}]`
  onlyParams(given, PHASE_PARAMS)
  const [item] = groups(given, 'items') ?? []
  if (item === undefined) throw requiredParam(`${param}[items]`)
  const price = recurringPrice(world, requiredText(item, 'price'), `${param}[items][0][price]`).id
  const wish =
    text(given, 'start_date') === 'now' ? world.clock.seconds() : whole(given, 'start_date')
  const start = wish ?? before?.end_date
  if (start === undefined) throw requiredParam(`${param}[start_date]`)
  if (before !== undefined && start !== before.end_date)
    throw invalid(
      'The start of a phase must be the end of the phase before it.',
      `${param}[start_date]`,
    )
  const end = endOf(world, given, start, price, param, isLast)
  if (end <= start)
    throw invalid('The end of a phase must be after its start.', `${param}[end_date]`)
  return newPhase(price, start, end, text(given, 'proration_behavior'))
}

export function updateSchedule(world: StripeWorld, schedule: Schedule, params: Params): Schedule {
  onlyParams(params, [
    'phases',
    'end_behavior',
    'metadata',
    'proration_behavior',
    'default_settings',
  ])
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalid(`You cannot update a subscription schedule that is ${schedule.status}.`)
  const given = groups(params, 'phases')
  if (given !== undefined) {
    const phases: Phase[] = []
    for (const [index, phase] of given.entries())
      phases.push(phaseOf(world, phase, index, phases.at(-1), index === given.length - 1))
    if (phases[0]?.start_date !== schedule.phases[0]?.start_date)
      throw invalid(
        'You can not modify the start date of the current phase.',
        'phases[0][start_date]',
      )
    schedule.phases = phases
  }
  schedule.end_behavior = oneOf(params, 'end_behavior', END_BEHAVIORS) ?? schedule.end_behavior
  schedule['metadata'] = metadataOf(params, schedule['metadata'] as Record<string, string>)
  world.emit('subscription_schedule.updated', schedule)
  return schedule
}

/** Leaves the subscription as it is, without the schedule. */
export function releaseSchedule(world: StripeWorld, schedule: Schedule, params: Params): Schedule {
  onlyParams(params, ['preserve_cancel_date'])
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalid(`You cannot release a subscription schedule that is ${schedule.status}.`)
  const subscription = world.need('subscription', schedule.subscription ?? '')
  Object.assign(schedule, {
    status: 'released',
    released_at: world.clock.seconds(),
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  })
  subscription.schedule = null
  world.emit('subscription_schedule.released', schedule)
  world.emit('customer.subscription.updated', subscription, { schedule: schedule.id })
  return schedule
}

export function cancelSchedule(world: StripeWorld, schedule: Schedule, params: Params): Schedule {
  onlyParams(params, ['invoice_now', 'prorate'])
  if (schedule.status !== 'active')
    throw invalid(`You cannot cancel a subscription schedule that is ${schedule.status}.`)
  const subscription = world.need('subscription', schedule.subscription ?? '')
  Object.assign(schedule, {
    status: 'canceled',
    canceled_at: world.clock.seconds(),
    current_phase: null,
  })
  subscription.schedule = null
  world.emit('subscription_schedule.canceled', schedule)
  endSubscription(world, subscription, 'cancellation_requested')
  return schedule
}
