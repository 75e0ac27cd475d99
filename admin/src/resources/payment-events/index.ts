import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { PaymentEventList } from './PaymentEventList.tsx'

export const paymentEvents = {
  name: 'payment-events' satisfies ResourceName,
  list: PaymentEventList,
  recordRepresentation: 'event_id',
} satisfies ResourceProps
