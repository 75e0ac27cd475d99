/** A form with one email address, to which the service mails a link. */
import Button from '@mui/material/Button'
import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'

interface EmailFormProps {
  readonly initialEmail?: string | undefined
  /** The button before, during and after the call. */
  readonly labels: { readonly idle: string; readonly busy: string; readonly done: string }
  readonly request: UseMutationResult<string, Error, string>
  /** The message above the field. */
  readonly children: ReactNode
}

export function EmailForm({ initialEmail = '', labels, request, children }: EmailFormProps) {
  const { mutate, error, isPending, isSuccess } = request
  const [email, setEmail] = useState(initialEmail)
  const [isMissing, setMissing] = useState(false)
  const { waitSeconds, labelOf } = useHold(error)
  const isHeld = isPending || isSuccess || waitSeconds > 0
  const refused = error instanceof ApiProblem ? error.of('email') : undefined

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isHeld) return
    setMissing(email.trim() === '')
    if (email.trim() !== '') mutate(email.trim())
  }
  return (
    <form noValidate onSubmit={submit}>
      {refused === undefined && children}
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        disabled={isSuccess}
        error={isMissing ? 'Please enter your email address' : refused}
        onChange={(event) => {
          setEmail(event.target.value)
          setMissing(false)
        }}
        inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
      />
      <Button
        type="submit"
        variant="contained"
        size="large"
        fullWidth
        disabled={isSuccess}
        aria-disabled={isHeld}
      >
        {isSuccess ? labels.done : isPending ? labels.busy : labelOf(labels.idle)}
      </Button>
    </form>
  )
}
