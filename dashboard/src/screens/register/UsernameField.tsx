import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { availabilityQuery } from '../../api/sign-up.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useSettled } from '../../components/use-settled.ts'
import { faultInUsername, isUsername, USERNAME_RULE } from './username.ts'

const PAUSE_MS = 400

interface UsernameFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The name of the account that this browser registered and that waits for its verification. */
  readonly ownName: string | undefined
  /** Why the service refused this name. */
  readonly error: string | undefined
}

/** The user name, with whether it is free while the user types. */
export function UsernameField({ value, onChange, ownName, error }: UsernameFieldProps) {
  const settled = useSettled(value, PAUSE_MS)
  const isOwn = ownName !== undefined && value.toLowerCase() === ownName.toLowerCase()
  const isAsked = !isOwn && isUsername(settled) && settled === value
  const { data: availability } = useQuery({ ...availabilityQuery(settled), enabled: isAsked })
  const found = isAsked ? availability : undefined
  const isFree = found === 'available'
  useEffect(() => {
    if (isFree) announce(`${settled} is available.`)
  }, [isFree, settled])
  const fault =
    error ??
    faultInUsername(value) ??
    (found === 'taken' ? `${value} is already in use. Please choose another.` : undefined) ??
    (found === 'invalid' ? `${value} cannot be a username. ${USERNAME_RULE}` : undefined)
  return (
    <Field
      label="Username"
      name="username"
      autoComplete="username"
      value={value}
      error={fault}
      help={isFree ? `${value} is available.` : USERNAME_RULE}
      isGood={isFree}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ maxLength: 64, spellCheck: false, autoCapitalize: 'none' }}
    />
  )
}
