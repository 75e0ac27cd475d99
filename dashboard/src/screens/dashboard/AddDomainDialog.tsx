import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { zonesQuery } from '../../api/account.ts'
import { createDomain, type Domain } from '../../api/domains.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { splitName, typeOfAddress, wholeName } from './new-name.ts'
import { OwnAddressButton } from './OwnAddressButton.tsx'
import { reloadDomains } from './reload-domains.ts'

type RecordType = 'A' | 'AAAA'

const RECORD_TYPES: readonly (readonly [RecordType, string])[] = [
  ['A', 'A (IPv4)'],
  ['AAAA', 'AAAA (IPv6)'],
]

/** Problems with the domain as a whole. They name no field, but the form shows them beside the domain. */
const ABOUT_NAME = new Set(['name-taken', 'name-reserved', 'name-not-allowed', 'domain-locked'])

function nameError(error: Error | null): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  return error.of('fqdn', 'zone') ?? (ABOUT_NAME.has(error.code) ? error.message : undefined)
}

function addressError(error: Error | null): string | undefined {
  return error instanceof ApiProblem ? error.of('record_ip') : undefined
}

const NAME_ERROR_ID = 'add-domain-name-error'

interface AddDomainDialogProps {
  /** The domain that the user looked up before they signed in. */
  readonly wish?: string | undefined
  readonly onClose: () => void
  readonly onAdded: (domain: Domain) => void
}

export default function AddDomainDialog({ wish, onClose, onAdded }: AddDomainDialogProps) {
  const { data: zones = [], error: zonesError, refetch } = useQuery(zonesQuery)
  const [ownLabel, setTyped] = useState<string>()
  const [chosenZone, setZone] = useState<string>()
  const [rrtype, setType] = useState<RecordType>('A')
  const [address, setAddress] = useState('')
  const queries = useQueryClient()
  const wished = wish === undefined ? undefined : splitName(wish, zones)
  const typed = ownLabel ?? wished?.labels ?? ''
  const zone = chosenZone ?? wished?.zone ?? zones[0] ?? ''
  const fqdn = wholeName(typed, zone)

  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: createDomain,
    onSuccess(domain) {
      void reloadDomains(queries)
      notify({ kind: 'success', text: `${domain.fqdn} was added and is live in DNS.` })
      onAdded(domain)
    },
  })

  function changeAddress(text: string): void {
    reset()
    setAddress(text)
    setType(typeOfAddress(text) ?? rrtype)
  }

  const wrongName = nameError(error)
  const wrongAddress = addressError(error)
  const other = wrongName === undefined && wrongAddress === undefined ? error : null
  return (
    <Modal
      title="Add domain"
      submit={{ label: 'Add Domain', busyLabel: 'Adding...' }}
      isBusy={isPending}
      isDisabled={fqdn === ''}
      onClose={onClose}
      onSubmit={() => {
        const record_ip = address.trim()
        mutate({ fqdn, zone, rrtype, ...(record_ip === '' ? {} : { record_ip }) })
      }}
    >
      {zonesError && <Failure error={zonesError} onRetry={() => void refetch()} />}
      {other && <Failure error={other} otherwise="Failed to add domain" />}
      <div className="name-fields">
        <Field
          label="Subdomain"
          autoFocus
          isMonospace
          autoComplete="off"
          value={typed}
          errorId={wrongName === undefined ? undefined : NAME_ERROR_ID}
          inputProps={{ maxLength: 253, spellCheck: false, autoCapitalize: 'none' }}
          onChange={(event) => {
            reset()
            setTyped(event.target.value)
          }}
        />
        <Select
          label="Zone"
          value={zone}
          choices={zones.map((name) => [name, name])}
          onChange={(name) => {
            reset()
            setZone(name)
          }}
        />
      </div>
      {wrongName !== undefined && (
        <p id={NAME_ERROR_ID} role="alert" className="field-error">
          {wrongName}
        </p>
      )}
      <p className="name-result">
        {fqdn === '' ? (
          <span className="muted">Enter a subdomain. Your full domain appears here.</span>
        ) : (
          <output className="monospace">{fqdn}</output>
        )}
      </p>
      <div className="address-fields">
        <Field
          label="Initial IP (optional)"
          isMonospace
          autoComplete="off"
          value={address}
          error={wrongAddress}
          help="If you leave this empty, your router’s first update sets it."
          inputProps={{ maxLength: 64, spellCheck: false, autoCapitalize: 'none' }}
          onChange={(event) => changeAddress(event.target.value)}
        />
        <Select label="Record Type" value={rrtype} choices={RECORD_TYPES} onChange={setType} />
      </div>
      <OwnAddressButton onAddress={changeAddress} />
    </Modal>
  )
}
