/**
 * The page after the payment. The provider appends the id of its session or subscription to the URL; the service reads the
 * state at the provider, and this page says that the plan is active only when the service does.
 */
import { dayText } from '@homing/theme/formats'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useCountdown } from '@homing/theme/parts/use-countdown.ts'
import { Waiting } from '@homing/theme/parts/Waiting.tsx'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '../../api/account.ts'
import {
  type ChosenPlan,
  forgetPlan,
  intendedPlan,
  type PlannedPlan,
  plannedPlan,
} from '../../api/intended-plan.ts'
import {
  type PaymentIds,
  PAYMENTS_KEY,
  statusQuery,
  subscriptionQuery,
  type SubscriptionStatus,
} from '../../api/payments.ts'
import { useSession } from '../../api/session.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { PLAN_NAMES } from '../frame/plan-words.ts'
import { CYCLE_NAMES, planText } from '../frame/subscription-words.ts'
import { useAccountLink } from '../frame/use-account-link.ts'
import { forgetDraft } from '../payment/checkout-draft.ts'
import './payment-success.css'

const ASK_EVERY_MS = 3_000
const CONFIRMING_LIMIT_MS = 30_000
const COUNTDOWN_SECONDS = 5

const CONFIRMATIONS = [
  'Your account is upgraded',
  'A receipt was sent to you by email',
  'You have instant access to all features of the plan',
] as const

/** The ids in the query of the page. */
function idsIn(query: string): PaymentIds {
  const parameters = new URLSearchParams(query)
  const [session, subscription] = [parameters.get('session_id'), parameters.get('subscription_id')]
  return {
    ...(session && { session_id: session }),
    ...(subscription && { subscription_id: subscription }),
  }
}

/** Whether what was paid is there. After a change of plan, the former plan is active until the change is confirmed. */
function isConfirmed(status: SubscriptionStatus | undefined, paid: ChosenPlan | undefined) {
  if (status?.hasSubscription !== true || status.status !== 'active') return false
  return paid === undefined || (status.plan === paid.plan && status.interval === paid.billing)
}

/** True once `ms` have passed. */
function useElapsed(ms: number): boolean {
  const [isElapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isElapsed
}

const toDashboard = () => go(hashOf('dashboard'), { replace: true })

function DashboardButton() {
  return (
    <Button variant="contained" size="large" fullWidth onClick={toDashboard}>
      Go to Dashboard
    </Button>
  )
}

function Onward() {
  return (
    <>
      <DashboardButton />
      <p>
        <a href={hashOf('settings', {}, 'plan')}>View your plan and receipts</a>
      </p>
    </>
  )
}

/** Goes to the dashboard after five seconds, unless the user stays. It is announced once, not each second. */
function Countdown({ onStop }: { readonly onStop: () => void }) {
  const left = useCountdown(COUNTDOWN_SECONDS, onStop)
  useEffect(() => {
    announce(
      `Payment Successful! Redirecting to dashboard in ${COUNTDOWN_SECONDS} seconds. Choose Stay on This Page to stop.`,
    )
  }, [])
  useEffect(() => {
    if (left === 0) toDashboard()
  }, [left])
  return (
    <>
      <p className="muted">Redirecting to dashboard in {left} seconds...</p>
      <Button variant="outlined" size="large" fullWidth onClick={onStop}>
        Stay on This Page
      </Button>
    </>
  )
}

function Confirmed({ status: { plan, interval } }: { readonly status: SubscriptionStatus }) {
  const [isStopped, setStopped] = useState(false)
  const [stop] = useState(() => () => setStopped(true))
  const queries = useQueryClient()
  useEffect(() => {
    forgetPlan()
    forgetDraft()
    // The plan changed: what was read before is out of date.
    void queries.invalidateQueries({ queryKey: meQuery.queryKey })
    void queries.invalidateQueries({
      queryKey: [PAYMENTS_KEY],
      predicate: ({ queryKey }) => queryKey[1] !== 'status',
    })
  }, [queries])
  return (
    <>
      <Outcome isGood title="Payment Successful!" />
      <div className="card-page-text">
        <p>Thank you for subscribing! Your account has been upgraded.</p>
        {plan !== null && interval !== null && (
          <p>
            <strong>
              {PLAN_NAMES[plan]} plan, {CYCLE_NAMES[interval]}
            </strong>
          </p>
        )}
      </div>
      <ul className="success-list">
        {CONFIRMATIONS.map((line) => (
          <li key={line}>
            <Icon name="check" size={16} />
            {line}
          </li>
        ))}
      </ul>
      <div className="card-page-actions">
        {!isStopped && <Countdown onStop={stop} />}
        <Onward />
      </div>
    </>
  )
}

/** The present subscription goes on until it ends. The page of the provider was left with an approval. */
function Later({ beginsAt }: { readonly beginsAt: string }) {
  useEffect(() => {
    forgetPlan()
    forgetDraft()
  }, [])
  return (
    <>
      <Outcome isGood title="Payment method approved" />
      <div className="card-page-text">
        <p>
          Your present subscription ends on {dayText(beginsAt)}. The new one begins then, with its
          first payment. You do not have to do anything.
        </p>
      </div>
      <div className="card-page-actions">
        <Onward />
      </div>
    </>
  )
}

/** A change that begins with the next period was approved: until then, the present plan goes on, and nothing is paid. */
function Planned({ planned: { plan, billing, begins } }: { readonly planned: PlannedPlan }) {
  const queries = useQueryClient()
  useEffect(() => {
    forgetPlan()
    void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] })
  }, [queries])
  return (
    <>
      <Outcome isGood title="Change approved" />
      <div className="card-page-text">
        <p>
          From {dayText(begins)}, your plan is {planText({ plan, interval: billing })}. Until then,
          you keep your present plan. Nothing was charged.
        </p>
      </div>
      <div className="card-page-actions">
        <Onward />
      </div>
    </>
  )
}

function Unconfirmed({ error, onRetry }: { readonly error: Error | null; onRetry: () => void }) {
  return (
    <>
      <ScreenTitle title="Payment received" />
      <div className="card-page-text">
        <p role="status">
          Your payment is still being confirmed. We will mail you when your plan is active. You do
          not have to pay again.
        </p>
      </div>
      {error !== null && <Failure error={error} />}
      <div className="card-page-actions">
        <Button variant="outlined" size="large" fullWidth onClick={onRetry}>
          Check Again
        </Button>
        <DashboardButton />
      </div>
    </>
  )
}

function Confirmation({ ids }: { readonly ids: PaymentIds }) {
  const [planned] = useState(plannedPlan)
  const [paid] = useState(intendedPlan)
  const [round, setRound] = useState(0)
  if (planned !== undefined) return <Planned planned={planned} />
  return <Attempt key={round} ids={ids} paid={paid} onRetry={() => setRound(round + 1)} />
}

interface AttemptProps {
  readonly ids: PaymentIds
  readonly paid: ChosenPlan | undefined
  readonly onRetry: () => void
}

/** When a subscription begins that was approved to follow the present one; undefined: none was. */
function useBeginning(isEnding: boolean, isOver: boolean): string | undefined {
  const { data } = useQuery({
    ...subscriptionQuery,
    enabled: isEnding,
    staleTime: 0,
    refetchInterval: isOver ? false : ASK_EVERY_MS,
  })
  return isEnding ? data?.followedBy?.at : undefined
}

/** Asks until the subscription is active, for half a minute. */
function Attempt({ ids, paid, onRetry }: AttemptProps) {
  const isOver = useElapsed(CONFIRMING_LIMIT_MS)
  const { data, error } = useQuery({
    ...statusQuery(ids),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isOver || isConfirmed(state.data, paid) ? false : ASK_EVERY_MS,
  })
  const later = useBeginning(data?.status === 'canceled', isOver)
  if (data !== undefined && isConfirmed(data, paid)) return <Confirmed status={data} />
  if (later !== undefined) return <Later beginsAt={later} />
  if (isOver) return <Unconfirmed error={error} onRetry={onRetry} />
  return (
    <>
      <ScreenTitle title="Confirming your payment" />
      <Waiting>Waiting for the payment provider...</Waiting>
      <p className="muted">This takes a few seconds. You do not have to pay again.</p>
    </>
  )
}

/** Somebody without a session, perhaps in another browser: the plan belongs to the account that paid. */
function SignedOut({ query }: { readonly query: string }) {
  const next = `payment-success${query === '' ? '' : `?${query}`}`
  return (
    <>
      <Outcome isGood title="Payment received" />
      <p role="status">Payment received. Sign in.</p>
      <div className="card-page-actions">
        <Button variant="contained" size="large" fullWidth href={hashOf('login', { next })}>
          Sign In
        </Button>
      </div>
    </>
  )
}

export default function PaymentSuccessScreen({ place: { query } }: ScreenProps) {
  const { user } = useSession()
  const link = useAccountLink()
  return (
    <CardPage link={link}>
      {user === undefined ? <SignedOut query={query} /> : <Confirmation ids={idsIn(query)} />}
    </CardPage>
  )
}
