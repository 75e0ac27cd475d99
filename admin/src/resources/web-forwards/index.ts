import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { WebForwardList } from './WebForwardList.tsx'

export const webForwards = {
  name: 'web-forwards' satisfies ResourceName,
  list: WebForwardList,
  recordRepresentation: 'fqdn',
} satisfies ResourceProps
