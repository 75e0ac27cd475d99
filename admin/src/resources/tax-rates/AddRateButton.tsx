/** Adds the tax rate of a country that has none. */
import { Select } from '@homing/theme/parts/Select.tsx'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useGetList } from 'react-admin'
import type { TaxRate } from '../../api/client.ts'
import { Trouble } from '../../layout/Trouble.tsx'
import { countriesWithout } from './countries.ts'
import { RateDialog } from './RateDialog.tsx'

/** More than there are countries. */
const ALL = {
  pagination: { page: 1, perPage: 300 },
  sort: { field: 'country', order: 'ASC' },
} as const

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState('')
  const { data, error, refetch } = useGetList<TaxRate>('tax-rates', ALL, { retry: false })
  const choices = countriesWithout(new Set(data?.map(({ country }) => country)))
  return (
    <RateDialog
      title="Add a tax rate"
      country={chosen === '' ? undefined : chosen}
      onClose={onClose}
    >
      {error !== null && <Trouble error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Select
          label="Country"
          value={chosen}
          choices={[['', 'Choose a country'], ...choices]}
          onChange={setChosen}
        />
      )}
    </RateDialog>
  )
}

export function AddRateButton() {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button variant="outlined" onClick={() => setAsked(true)}>
        Add a tax rate
      </Button>
      {isAsked && <AddDialog onClose={() => setAsked(false)} />}
    </>
  )
}
