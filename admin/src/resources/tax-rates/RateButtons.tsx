/** Edits or deletes the tax rate of a country. */
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { TaxRate } from '../../api/client.ts'
import { messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { Confirm } from '../../layout/Confirm.tsx'
import { countryName } from './countries.ts'
import { RateDialog } from './RateDialog.tsx'

const DELETING =
  'Invoices that are issued from now on have no tax for this country. Invoices that exist, and their credit notes, keep theirs.'

function DeleteDialog({ country, onClose }: { country: string; onClose: () => void }) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const name = countryName(country)
  const { mutate, isPending } = useWrite({
    mutationFn: () => provider.deleteTaxRate(country),
    onSuccess() {
      notify(`The tax rate of ${name} was deleted.`, { type: 'success' })
      refresh()
    },
    onError: (error) => notify(messageOf(error), { type: 'error', autoHideDuration: null }),
  })
  return (
    <Confirm
      title={`Delete the tax rate of ${name}?`}
      action="Delete"
      isBusy={isPending}
      onConfirm={() => mutate(undefined, { onSettled: onClose })}
      onCancel={onClose}
    >
      {DELETING}
    </Confirm>
  )
}

export function RateButtons({ rate }: { readonly rate: TaxRate }) {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = () => setAsked(undefined)
  const { country } = rate
  const name = countryName(country)
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        aria-label={`Edit the tax rate of ${name}`}
        onClick={() => setAsked('edit')}
      >
        Edit
      </Button>{' '}
      <Button
        variant="outlined"
        size="small"
        color="error"
        aria-label={`Delete the tax rate of ${name}`}
        onClick={() => setAsked('delete')}
      >
        Delete
      </Button>
      {asked === 'edit' && (
        <RateDialog title={`Tax rate of ${name}`} country={country} rate={rate} onClose={close} />
      )}
      {asked === 'delete' && <DeleteDialog country={country} onClose={close} />}
    </>
  )
}
