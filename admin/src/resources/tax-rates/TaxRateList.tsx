/** The tax that prices include, by country of the billing address. */
import type { TaxRate } from '../../api/client.ts'
import { Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { AddRateButton } from './AddRateButton.tsx'
import { countryName } from './countries.ts'
import { percentText } from './rate-text.ts'
import { RateButtons } from './RateButtons.tsx'

const COLUMNS: readonly Column<TaxRate>[] = [
  {
    field: 'country',
    label: 'Country',
    isSortable: true,
    cell: ({ country }) => (
      <>
        {countryName(country)}
        <span className="second-line">{country}</span>
      </>
    ),
  },
  {
    field: 'rate_basis_points',
    label: 'Rate',
    isNumber: true,
    isSortable: true,
    cell: ({ rate_basis_points }) => `${percentText(rate_basis_points)} %`,
  },
  { field: 'name', label: 'Tax', cell: ({ name }) => <span className="breakable">{name}</span> },
  {
    field: 'change',
    label: 'Change',
    phone: 'whole',
    cell: (rate) => <RateButtons rate={rate} />,
  },
]

export function TaxRateList() {
  return (
    <ListPage
      resource="tax-rates"
      title="Tax rates"
      sort={{ field: 'country', order: 'ASC' }}
      columns={COLUMNS}
      empty="No country has a tax rate, so invoices show no tax."
      action={<AddRateButton />}
    >
      <Filters>
        <SearchField label="Search country code or tax" />
      </Filters>
    </ListPage>
  )
}
