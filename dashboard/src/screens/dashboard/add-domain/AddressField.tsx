import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { RecordType } from '../new-name.ts'
import { faultInAddress, warningAbout } from './address-fault.ts'

interface AddressFieldProps {
  readonly label: string
  readonly value: string
  /** The only type that fits; undefined if both do. */
  readonly expected?: RecordType
  /** Why the service refused this address. */
  readonly error: string | undefined
  readonly help?: ReactNode
  /** The user tried to submit: what is wrong is shown now. */
  readonly isChecked: boolean
  readonly onChange: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** An address, with what is wrong with it once the user has left the field, and a warning if the Internet cannot reach it. */
export function AddressField(props: AddressFieldProps) {
  const { label, value, expected, error, help, isChecked, onChange, onKeyDown } = props
  const [isLeft, setLeft] = useState(false)
  const fault = error ?? (isLeft || isChecked ? faultInAddress(value, expected) : undefined)
  const warning = warningAbout(value)
  return (
    <Field
      label={label}
      name={expected === undefined ? 'address' : `record_${expected.toLowerCase()}`}
      isMonospace
      autoComplete="off"
      value={value}
      error={fault}
      help={
        warning === undefined ? (
          help
        ) : (
          <span className="address-warning">
            <Icon name="warning" size={16} />
            {warning}
          </span>
        )
      }
      inputProps={{ maxLength: 64, spellCheck: false, autoCapitalize: 'none' }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => setLeft(true)}
      onKeyDown={onKeyDown}
    />
  )
}
