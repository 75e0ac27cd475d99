import { type KeyboardEvent, type Ref, useState } from 'react'
import { Field } from './Field.tsx'
import { Icon } from './Icon.tsx'

interface PasswordFieldProps {
  readonly label?: string
  readonly name?: string
  /** Whether password managers should suggest a new password. */
  readonly isNew?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
  readonly errorId?: string | undefined
  readonly help?: string | undefined
  readonly inputRef?: Ref<HTMLInputElement>
  readonly autoFocus?: boolean
}

/** A password field that can show its content and that allows paste and password managers. */
export function PasswordField(props: PasswordFieldProps) {
  const { label = 'Password', name = 'password', isNew = false, onChange, help, ...rest } = props
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Field
      {...rest}
      label={label}
      name={name}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
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
