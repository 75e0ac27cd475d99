import { lazy } from 'react'
import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'

const QueryList = lazy(() => import('./QueryList.tsx'))

export const dnsQueries = {
  name: 'dns-queries' satisfies ResourceName,
  list: QueryList,
} satisfies ResourceProps
