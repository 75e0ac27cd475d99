/** Sets the tax rate of a country. The API asks the administrator to confirm their identity. */
import { TAX_NAME_LIMIT } from '@homing/openapi/vocabulary'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { type ReactNode, useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { TaxRate, TaxRateTerms } from '../../api/client.ts'
import { faultsOf, messageOf } from '../../api/problem.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { countryName } from './countries.ts'
import { basisPointsOf, percentText } from './rate-text.ts'

const LATER =
  'The rate applies to invoices that are issued from now on. Invoices that exist, and their credit notes, keep theirs.'
const EXPECTED = 'Enter a number from 0 to 100 with at most two decimals, such as 20 or 5.5.'
const HELP = 'Prices include this tax.'

interface RateDialogProps {
  readonly title: string
  /** Undefined: it is not chosen yet. */
  readonly country: string | undefined
  /** The present rate, if there is one. */
  readonly rate?: TaxRate
  /** The choice of the country. */
  readonly children?: ReactNode
  readonly onClose: () => void
}

/** Saves a rate, then shows it in the list. */
function useSave(country: string | undefined, onClose: () => void) {
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  return useWrite({
    mutationFn: (terms: TaxRateTerms) => provider.setTaxRate(country ?? '', terms),
    onSuccess(saved) {
      const percent = percentText(saved.rate_basis_points)
      notify(`The tax rate of ${countryName(saved.country)} is ${percent} %.`, { type: 'success' })
      refresh()
      onClose()
    },
  })
}

export function RateDialog({ title, country, rate, children, onClose }: RateDialogProps) {
  const [percent, setPercent] = useState(
    rate === undefined ? '' : percentText(rate.rate_basis_points),
  )
  const [name, setName] = useState(rate?.name ?? 'VAT')
  const [isTold, setTold] = useState(false)
  const { mutate, isPending, error } = useSave(country, onClose)
  const basisPoints = basisPointsOf(percent)
  const faults = error === null ? undefined : faultsOf(error)
  const save = () => {
    if (basisPoints === undefined) setTold(true)
    else mutate({ rate_basis_points: basisPoints, name: name.trim() })
  }
  return (
    <Modal
      title={title}
      width="sm"
      submit={{ label: 'Save', busyLabel: 'Saving…' }}
      isBusy={isPending}
      isDisabled={country === undefined || percent.trim() === '' || name.trim() === ''}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{LATER}</p>
      {error !== null && faults === undefined && <Message tone="error">{messageOf(error)}</Message>}
      {children}
      <Field
        label="Rate in percent"
        help={HELP}
        error={isTold && basisPoints === undefined ? EXPECTED : faults?.['rate_basis_points']}
        required
        autoFocus={rate !== undefined}
        inputMode="decimal"
        autoComplete="off"
        maxLength={8}
        value={percent}
        onChange={({ target }) => setPercent(target.value)}
      />
      <Field
        label="Name of the tax"
        help="For administrators."
        error={faults?.['name']}
        required
        autoComplete="off"
        maxLength={TAX_NAME_LIMIT}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </Modal>
  )
}
