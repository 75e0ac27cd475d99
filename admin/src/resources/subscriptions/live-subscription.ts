import { useGetList } from 'react-admin'
import type { AdminSubscription } from '../../api/client.ts'

const PAGE = { page: 1, perPage: 5 }
const LATEST = { field: 'id', order: 'DESC' } as const

/** Whether a subscription gives the account its plan. */
const isLive = ({ state, is_surplus }: AdminSubscription) =>
  !is_surplus && state !== 'ended' && state !== 'incomplete'

/** The latest subscriptions of an account, and the one that gives the account its plan. */
export function useSubscriptionsOf(userId: string) {
  const { data, error } = useGetList<AdminSubscription>(
    'subscriptions',
    { pagination: PAGE, sort: LATEST, filter: { user_id: userId } },
    { retry: false, onError: () => undefined },
  )
  return { data, error, live: data?.find(isLive) }
}
