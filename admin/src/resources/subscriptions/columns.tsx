import { dayText } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { AdminSubscription } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { RefetchButton } from './RefetchButton.tsx'
import { RefundButton } from './RefundButton.tsx'
import { SubscriptionState } from './SubscriptionState.tsx'
import { amountText, CYCLES, PLANS, PROVIDERS } from './words.ts'

/** What happens next, and when. */
function NextDate({ subscription }: { subscription: AdminSubscription }) {
  const { state, ended_at, ends_at, period_end } = subscription
  const [verb, time] =
    state === 'ended'
      ? (['ended', ended_at] as const)
      : ends_at === null
        ? (['renews', period_end] as const)
        : (['ends', ends_at] as const)
  if (time === null) return <span className="muted">–</span>
  return (
    <span>
      {verb} {dayText(time)}
    </span>
  )
}

export const COLUMNS: readonly Column<AdminSubscription>[] = [
  {
    field: 'username',
    label: 'Account',
    isSortable: true,
    cell: ({ user_id, username }) =>
      user_id === null ? (
        <span className="muted">deleted account</span>
      ) : (
        <Link to={`/users/${user_id}`}>{username ?? user_id}</Link>
      ),
  },
  {
    field: 'plan',
    label: 'Plan',
    isSortable: true,
    cell: ({ plan, billing, amount_cents, currency }) => (
      <>
        {PLANS[plan]}
        <span className="second-line">
          {CYCLES[billing]}, {amountText(amount_cents, currency)}
        </span>
      </>
    ),
  },
  {
    field: 'state',
    label: 'State',
    isSortable: true,
    phone: 'corner',
    cell: (subscription) => <SubscriptionState subscription={subscription} />,
  },
  {
    field: 'ends_at',
    label: 'Next',
    isSortable: true,
    cell: (subscription) => <NextDate subscription={subscription} />,
  },
  {
    field: 'provider',
    label: 'Provider',
    cell: ({ id, provider, provider_id }) => {
      const filter = JSON.stringify({ subscription_id: id })
      return (
        <>
          {PROVIDERS[provider]}
          <span className="second-line monospace breakable">
            <Link to={`/payment-events?${new URLSearchParams({ filter }).toString()}`}>
              {provider_id}
            </Link>
          </span>
        </>
      )
    },
  },
  {
    field: 'refunded_cents',
    label: 'Refunded',
    isNumber: true,
    cell: ({ refunded_cents, currency }) =>
      refunded_cents === 0 ? '–' : amountText(refunded_cents, currency),
  },
  {
    field: 'refetched_at',
    label: 'Read at provider',
    cell: ({ refetched_at }) => <Ago time={refetched_at} never="never" />,
  },
  {
    field: 'actions',
    label: 'Actions',
    phone: 'whole',
    cell: (subscription) => (
      <span className="row-actions">
        <RefetchButton subscription={subscription} />
        <RefundButton subscription={subscription} />
      </span>
    ),
  },
]
