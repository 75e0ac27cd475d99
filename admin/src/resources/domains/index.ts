import { lazy } from 'react'
import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { DomainList } from './DomainList.tsx'

const DomainShow = lazy(() => import('./DomainShow.tsx'))

export const domains = {
  name: 'domains' satisfies ResourceName,
  list: DomainList,
  show: DomainShow,
  recordRepresentation: 'fqdn',
} satisfies ResourceProps
