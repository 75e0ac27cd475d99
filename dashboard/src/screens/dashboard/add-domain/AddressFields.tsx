/** The first addresses of a new domain: one or both families, by hand or from this browser. */
import type { KeyboardEvent } from 'react'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { RecordType } from '../new-name.ts'
import { OwnAddressButton } from '../OwnAddressButton.tsx'
import { AddressField } from './AddressField.tsx'
import {
  type addressErrors,
  type DomainDraft,
  otherType,
  withAddress,
  withOwnAddress,
} from './draft.ts'

const RECORD_TYPES: readonly (readonly [RecordType, string])[] = [
  ['A', 'A (IPv4)'],
  ['AAAA', 'AAAA (IPv6)'],
]

const FAMILY: Readonly<Record<RecordType, string>> = { A: 'IPv4', AAAA: 'IPv6' }

interface AddressFieldsProps {
  readonly draft: DomainDraft
  readonly errors: ReturnType<typeof addressErrors>
  readonly isChecked: boolean
  readonly onChange: (draft: DomainDraft) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function AddressFields(props: AddressFieldsProps) {
  const { draft, errors, isChecked, onChange, onKeyDown } = props
  const { rrtype, address, second } = draft
  const other = FAMILY[otherType(rrtype)]
  return (
    <>
      <div className="address-fields">
        <AddressField
          label="Initial IP (optional)"
          value={address}
          expected={rrtype}
          error={errors.first}
          help="If you leave this empty, your router’s first update sets it."
          isChecked={isChecked}
          onChange={(text) => onChange(withAddress(draft, text))}
          onKeyDown={onKeyDown}
        />
        <Select
          label="Record Type"
          value={rrtype}
          choices={RECORD_TYPES}
          onChange={(type) => onChange({ ...draft, rrtype: type })}
        />
      </div>
      {second !== undefined && (
        <AddressField
          label={`${other} address (optional)`}
          value={second}
          expected={otherType(rrtype)}
          error={errors.second}
          isChecked={isChecked}
          onChange={(text) => onChange({ ...draft, second: text })}
          onKeyDown={onKeyDown}
        />
      )}
      <div className="address-actions">
        <OwnAddressButton onAddress={(own) => onChange(withOwnAddress(draft, own))} />
        {second === undefined && (
          <button
            type="button"
            className="text-button"
            onClick={() => onChange({ ...draft, second: '' })}
          >
            Add an {other} address
          </button>
        )}
      </div>
    </>
  )
}
