import { lazy } from 'react'
import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { PlanList } from './PlanList.tsx'

const PlanEdit = lazy(() => import('./PlanEdit.tsx'))

export const plans = {
  name: 'plans' satisfies ResourceName,
  list: PlanList,
  edit: PlanEdit,
} satisfies ResourceProps
