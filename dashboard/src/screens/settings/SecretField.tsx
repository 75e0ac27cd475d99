import { type KeyboardEvent, useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { Icon } from '../../components/Icon.tsx'

interface SecretFieldProps {
  readonly label: string
  readonly name: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
  readonly help?: string | undefined
}

/** A password field that can show its content and that allows paste and password managers. */
export function SecretField({ label, help, onChange, ...field }: SecretFieldProps) {
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Field
      {...field}
      label={label}
      type={isShown ? 'text' : 'password'}
      help={hasCapsLock ? 'Caps Lock is on.' : help}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={() => setCapsLock(false)}
      inputProps={{ maxLength: 256, spellCheck: false, autoCapitalize: 'none' }}
      endAdornment={
        <button
          type="button"
          className="icon-button"
          aria-label={`Show ${label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'hide' : 'show'} />
        </button>
      }
    />
  )
}
