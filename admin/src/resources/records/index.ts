import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { RecordList } from './RecordList.tsx'

export const records = {
  name: 'records' satisfies ResourceName,
  list: RecordList,
  recordRepresentation: 'owner',
} satisfies ResourceProps
