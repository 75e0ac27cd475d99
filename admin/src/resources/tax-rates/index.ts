import type { ResourceProps } from 'react-admin'
import type { ResourceName } from '../../dataProvider.ts'
import { TaxRateList } from './TaxRateList.tsx'

export const taxRates = {
  name: 'tax-rates' satisfies ResourceName,
  list: TaxRateList,
  recordRepresentation: 'country',
} satisfies ResourceProps
