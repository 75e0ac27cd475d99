import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { MonitorList } from './MonitorList.tsx'

export const monitors = {
  name: 'monitors' satisfies ResourceName,
  list: MonitorList,
  recordRepresentation: 'fqdn',
} satisfies ResourceProps
