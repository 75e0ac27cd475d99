import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { LedgerList } from './LedgerList.tsx'

export const ledger = {
  name: 'ledger' satisfies ResourceName,
  list: LedgerList,
  recordRepresentation: 'provider_id',
} satisfies ResourceProps
