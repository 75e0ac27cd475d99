/**
 * The plan that somebody chose on the pricing page. This browser remembers it over registration, verification, which opens
 * another tab, and sign-in, until it is paid. The service is not told.
 */
import {
  BILLING_CYCLES,
  type BillingCycle,
  PAID_PLANS,
  type PaidPlan,
} from '@homing/openapi/vocabulary'
import { forget, recall, remember } from './storage.ts'

const KEY = 'intended_plan'
const KEPT_MS = 7 * 86_400_000

export interface ChosenPlan {
  readonly plan: PaidPlan
  readonly billing: BillingCycle
}

/** A change that was approved, and that begins when the paid period ends. */
export interface PlannedPlan extends ChosenPlan {
  readonly begins: string
}

interface Intended extends ChosenPlan {
  readonly at: number
  /** When it begins; undefined: as soon as it is paid. */
  readonly begins: string | undefined
  /** The checkout was shown for it. A later sign-in does not lead there again. */
  readonly isShown: boolean
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((each) => each === value)

/** The plan in a query: `plan=pro&billing=annual`. Without `billing`, it is paid by month. */
export function planIn(query: string): ChosenPlan | undefined {
  const parameters = new URLSearchParams(query)
  const plan = parameters.get('plan')
  const billing = parameters.get('billing') ?? 'monthly'
  return isOneOf(PAID_PLANS, plan) && isOneOf(BILLING_CYCLES, billing)
    ? { plan, billing }
    : undefined
}

function stored(): Intended | undefined {
  try {
    const { plan, billing, at, isShown, begins } = (JSON.parse(recall('local', KEY) ?? '{}') ??
      {}) as Partial<Record<string, unknown>>
    const isKept = typeof at === 'number' && Date.now() - at < KEPT_MS
    if (!isKept || !isOneOf(PAID_PLANS, plan) || !isOneOf(BILLING_CYCLES, billing)) return undefined
    const later = typeof begins === 'string' && !Number.isNaN(Date.parse(begins))
    return { plan, billing, at, isShown: isShown === true, begins: later ? begins : undefined }
  } catch {
    return undefined
  }
}

const keep = (chosen: ChosenPlan, more: Pick<Intended, 'isShown' | 'begins'>): void =>
  remember('local', KEY, JSON.stringify({ ...chosen, ...more, at: Date.now() }))

/** Remembers the plan in a query, if there is one. */
export function rememberPlan(query: string, isShown = false): void {
  const chosen = planIn(query)
  if (chosen !== undefined) keep(chosen, { isShown, begins: undefined })
}

/** Remembers a change of plan that the user goes to approve. @param begins undefined: as soon as it is approved */
export const rememberChange = (chosen: ChosenPlan, begins: string | undefined): void =>
  keep(chosen, { isShown: true, begins })

/**
 * Remembers the plan of a place that only leads to the checkout: the registration, or the sign-in before the checkout.
 */
export function rememberPlanAt(
  place: { readonly screen: string; readonly query: string } | undefined,
): void {
  if (place?.screen === 'register') rememberPlan(place.query)
  if (place?.screen !== 'login') return
  const [screen = '', query = ''] = (new URLSearchParams(place.query).get('next') ?? '').split(
    '?',
    2,
  )
  if (screen === 'payment') rememberPlan(query)
}

/** The remembered plan; undefined if nothing is remembered, or too long ago. */
export function intendedPlan(): ChosenPlan | undefined {
  const intended = stored()
  return intended && { plan: intended.plan, billing: intended.billing }
}

/** The remembered change that begins later; undefined: none is remembered. */
export function plannedPlan(): PlannedPlan | undefined {
  const kept = stored()
  return kept?.begins === undefined
    ? undefined
    : { plan: kept.plan, billing: kept.billing, begins: kept.begins }
}

/** The remembered plan, for which no checkout was shown yet. */
export const waitingPlan = (): ChosenPlan | undefined =>
  stored()?.isShown === false ? intendedPlan() : undefined

export const forgetPlan = (): void => forget('local', KEY)
