import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { QueryList } from './QueryList.tsx'

export const dnsQueries = {
  name: 'dns-queries' satisfies ResourceName,
  list: QueryList,
  recordRepresentation: 'label',
} satisfies ResourceProps
