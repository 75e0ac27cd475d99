import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { LockedNameList } from './LockedNameList.tsx'

export const lockedNames = {
  name: 'locked-names' satisfies ResourceName,
  list: LockedNameList,
  recordRepresentation: 'fqdn',
} satisfies ResourceProps
