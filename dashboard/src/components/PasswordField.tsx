import { type KeyboardEvent, type Ref, useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { Icon } from '../../components/Icon.tsx'

interface PasswordFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly errorId: string | undefined
  readonly inputRef: Ref<HTMLInputElement>
}

/** A password field that can show its content and that allows paste and password managers. */
export function PasswordField({ value, onChange, errorId, inputRef }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Field
      label="Password"
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete="current-password"
      value={value}
      inputRef={inputRef}
      errorId={errorId}
      help={hasCapsLock ? 'Caps Lock is on.' : undefined}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={readCapsLock}
      onKeyUp={readCapsLock}
      onBlur={() => setCapsLock(false)}
      inputProps={{ maxLength: 256, spellCheck: false, autoCapitalize: 'none' }}
      endAdornment={
        <button
          type="button"
          className="icon-button"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'hide' : 'show'} />
        </button>
      }
    />
  )
}
