import { Field } from '@homing/theme/parts/Field.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { SettingsForm } from '../../frame/SettingsForm.tsx'
import { type OwnerText, type OwnerTextEdit, useOwnerText } from './use-owner-text.ts'

const shown = (text: string) => (text === '' ? 'none' : text)

/** Both versions of a text that another client changed in the meantime. */
function Conflict({ text, edit }: { readonly text: OwnerText; readonly edit: OwnerTextEdit }) {
  return (
    <Message tone="warn">
      <p>
        Another client has changed the {text.what} since you began. If you save, you replace its
        change.
      </p>
      <dl className="domain-versions">
        <dt>Now</dt>
        <dd dir="auto">{shown(edit.current)}</dd>
        <dt>Yours</dt>
        <dd dir="auto">{shown(edit.typed ?? '')}</dd>
      </dl>
    </Message>
  )
}

/** The errors of a text: a tag is an item of the field. */
const faultsOf = (error: Error | null, field: string) =>
  error instanceof ApiProblem
    ? error.fields.filter((each) => each.field === field || each.field.startsWith(`${field}.`))
    : []

interface OwnerTextFieldProps {
  readonly domain: Domain
  readonly text: OwnerText
  /** The name of the field in the API. */
  readonly field: 'note' | 'tags'
  readonly label: string
  readonly help: string
  readonly maxLength?: number
  readonly isMultiline?: boolean
  /** The text while it is not edited. */
  readonly children: ReactNode
}

/** A text of the owner with a button that makes it a form with one Save. */
export function OwnerTextField(props: OwnerTextFieldProps) {
  const { domain, text, field, label, help, maxLength, isMultiline = false, children } = props
  const edit = useOwnerText(domain, text)
  const editButton = useRef<HTMLButtonElement>(null)
  const isOpen = edit.typed !== undefined
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) editButton.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (edit.typed === undefined) {
    return (
      <div className="domain-text">
        <div className="domain-card-head">
          <h3>{label}</h3>
          <button
            ref={editButton}
            type="button"
            className="text-button"
            aria-label={`Edit ${label}`}
            onClick={edit.begin}
          >
            <Icon name="edit" size={16} />
            Edit
          </button>
        </div>
        {children}
      </div>
    )
  }
  const faults = faultsOf(edit.error, field)
  return (
    <SettingsForm
      submit={{
        label: edit.hasConflict ? 'Save Mine' : 'Save',
        busyLabel: 'Saving...',
        failure: 'Failed to update domain',
      }}
      isDirty={edit.isDirty}
      isBusy={edit.isBusy}
      error={edit.error}
      fields={faults.map((fault) => fault.field)}
      onSubmit={edit.save}
      onCancel={edit.cancel}
    >
      {edit.hasConflict && <Conflict text={text} edit={edit} />}
      <Field
        label={label}
        autoFocus
        multiline={isMultiline}
        value={edit.typed}
        help={help}
        error={faults.length === 0 ? undefined : faults.map(({ message }) => message).join(' ')}
        inputProps={{ dir: 'auto', ...(maxLength !== undefined && { maxLength }) }}
        onChange={(event) => edit.type(event.target.value)}
      />
    </SettingsForm>
  )
}
