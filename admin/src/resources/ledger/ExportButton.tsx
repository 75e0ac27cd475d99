/** Downloads the entries that match the filter. The browser streams the file to the disk. */
import Button from '@mui/material/Button'
import { useListContext } from 'react-admin'

const URL = '/api/admin/ledger/export'

export function ExportButton() {
  const { filterValues } = useListContext()
  const query = new URLSearchParams({ filter: JSON.stringify(filterValues) })
  return (
    <Button variant="outlined" href={`${URL}?${query.toString()}`} download="ledger.csv">
      Export as CSV
    </Button>
  )
}
