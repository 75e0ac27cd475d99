import { lazy } from 'react'
import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { ZoneList } from './ZoneList.tsx'

const ZoneShow = lazy(() => import('./ZoneShow.tsx'))

export const zones = {
  name: 'zones' satisfies ResourceName,
  list: ZoneList,
  show: ZoneShow,
  recordRepresentation: 'zone',
} satisfies ResourceProps
