/**
 * A form with one Save button. The button does nothing until something was typed; Ctrl+S saves; unsaved changes are
 * protected.
 */
import Button from '@mui/material/Button'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { isDeclined } from '../../api/confirmation.ts'
import { ApiProblem } from '../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { LeaveGuard } from './LeaveGuard.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'

interface SettingsFormProps {
  readonly children: ReactNode
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    /** Shown if the service refuses the form without a text. */
    readonly failure?: string
  }
  readonly isDirty: boolean
  /** Why the form cannot be saved yet, although something was typed. */
  readonly blockedBy?: string | undefined
  /** The form can be saved as it is, because it proposes its values. Ctrl+S saves only what was typed. */
  readonly isProposal?: boolean
  readonly isBusy: boolean
  /** Why the form was not saved. */
  readonly error: Error | null
  /** The fields that show their errors themselves. */
  readonly fields: readonly string[]
  /** Shown while nothing was typed. */
  readonly idleHint?: string
  /** What protects the changes when the user leaves: the place that loses them, or nothing. */
  readonly guard?: 'section' | 'dialog' | 'none'
  readonly onSubmit: () => void
  /** Shows a Cancel button. */
  readonly onCancel?: () => void
}

/** Moves the focus to the first field with an error. */
function useFocusOnError(form: RefObject<HTMLFormElement | null>, error: Error | null): void {
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, error])
}

/** The error, unless a field shows it or the user cancelled the confirmation of their identity. */
function formError(error: Error | null, fields: readonly string[]): Error | null {
  if (error === null || isDeclined(error)) return null
  return error instanceof ApiProblem && error.of(...fields) !== undefined ? null : error
}

export function SettingsForm(props: SettingsFormProps) {
  const { children, submit, isDirty, isBusy, error, fields, onSubmit, onCancel } = props
  const {
    blockedBy,
    isProposal = false,
    idleHint = 'You have no changes to save.',
    guard = 'section',
  } = props
  const form = useRef<HTMLFormElement>(null)
  const hintId = useId()
  const { waitSeconds, labelOf } = useHold(error)
  const hint = blockedBy ?? (isDirty || isProposal ? undefined : idleHint)
  usePageActions([
    {
      label: submit.label,
      icon: 'check',
      shortcut: 'save',
      disabledReason: isDirty ? hint : idleHint,
      run: () => form.current?.requestSubmit(),
    },
  ])
  useFocusOnError(form, error)
  const shown = formError(error, fields)
  const isHeld = isBusy || waitSeconds > 0

  function send(event: FormEvent): void {
    event.preventDefault()
    if (hint === undefined && !isHeld) onSubmit()
  }
  return (
    <form ref={form} noValidate className="section-form" onSubmit={send}>
      {children}
      {shown && <Failure error={shown} otherwise={submit.failure} hasTimer={false} />}
      <div className="section-actions">
        <Button
          type="submit"
          variant="contained"
          // A disabled button would lose the focus when the form was saved.
          className={hint === undefined ? '' : 'Mui-disabled'}
          aria-disabled={isHeld || hint !== undefined}
          aria-describedby={hint === undefined ? undefined : hintId}
        >
          {isBusy ? submit.busyLabel : labelOf(submit.label)}
        </Button>
        {onCancel && (
          <Button disabled={isBusy} onClick={onCancel}>
            Cancel
          </Button>
        )}
        {hint !== undefined && (
          <span id={hintId} className="muted">
            {hint}
          </span>
        )}
      </div>
      {isDirty && guard !== 'none' && <LeaveGuard isInDialog={guard === 'dialog'} />}
    </form>
  )
}
