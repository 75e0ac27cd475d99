/** The first addresses of a new domain: one or both families, by hand or from this browser. */
import { type KeyboardEvent, memo } from 'react'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { RecordType } from '../new-name.ts'
import { OwnAddressButton } from '../OwnAddressButton.tsx'
import { AddressField } from './AddressField.tsx'
import { type DomainDraft, otherType, withAddress, withOwnAddress } from './draft.ts'

const RECORD_TYPES: readonly (readonly [RecordType, string])[] = [
  ['A', 'A (IPv4)'],
  ['AAAA', 'AAAA (IPv6)'],
]

const FAMILY: Readonly<Record<RecordType, string>> = { A: 'IPv4', AAAA: 'IPv6' }

interface AddressFieldsProps extends Pick<DomainDraft, 'rrtype' | 'address' | 'second'> {
  /** Why the service refused the address of the type `rrtype`, and the other one. */
  readonly firstError: string | undefined
  readonly secondError: string | undefined
  readonly isChecked: boolean
  readonly onChange: (change: (draft: DomainDraft) => DomainDraft) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Not rendered while the user types the name. */
export const AddressFields = memo(function AddressFields(props: AddressFieldsProps) {
  const { rrtype, address, second, firstError, secondError } = props
  const { isChecked, onChange, onKeyDown } = props
  const other = FAMILY[otherType(rrtype)]
  return (
    <>
      <div className="address-fields">
        <AddressField
          label="Initial IP (optional)"
          value={address}
          expected={rrtype}
          error={firstError}
          help="If you leave this empty, your router’s first update sets it."
          isChecked={isChecked}
          onChange={(text) => onChange((draft) => withAddress(draft, text))}
          onKeyDown={onKeyDown}
        />
        <Select
          label="Record Type"
          value={rrtype}
          choices={RECORD_TYPES}
          onChange={(type) => onChange((draft) => ({ ...draft, rrtype: type }))}
        />
      </div>
      {second !== undefined && (
        <AddressField
          label={`${other} address (optional)`}
          value={second}
          expected={otherType(rrtype)}
          error={secondError}
          isChecked={isChecked}
          onChange={(text) => onChange((draft) => ({ ...draft, second: text }))}
          onKeyDown={onKeyDown}
        />
      )}
      <div className="address-actions">
        <OwnAddressButton onAddress={(own) => onChange((draft) => withOwnAddress(draft, own))} />
        {second === undefined && (
          <button
            type="button"
            className="text-button"
            onClick={() => onChange((draft) => ({ ...draft, second: '' }))}
          >
            Add an {other} address
          </button>
        )}
      </div>
    </>
  )
})
