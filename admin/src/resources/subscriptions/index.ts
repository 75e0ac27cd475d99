import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { SubscriptionList } from './SubscriptionList.tsx'

export const subscriptions = {
  name: 'subscriptions' satisfies ResourceName,
  list: SubscriptionList,
  recordRepresentation: 'provider_id',
} satisfies ResourceProps
