import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { BlockedTargetList } from './BlockedTargetList.tsx'

export const blockedTargets = {
  name: 'blocked-targets' satisfies ResourceName,
  list: BlockedTargetList,
  recordRepresentation: 'host',
} satisfies ResourceProps
