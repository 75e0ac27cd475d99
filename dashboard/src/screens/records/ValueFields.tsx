/** The values of a record, each with the fields of its type. */
import { Field } from '@homing/theme/parts/Field.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { RECORD_BOUNDS } from '@homing/openapi/vocabulary'
import { useEffect, useId, useRef } from 'react'
import { newValue, type ValueDraft } from './record-draft.ts'
import { formOf, type RecordForm, type ValueField } from './record-forms.ts'

const PLAIN_TEXT = { spellCheck: false, autoCapitalize: 'none' } as const

interface PartProps {
  readonly field: ValueField
  readonly text: string
  /** The element that shows what is wrong with the value. */
  readonly errorId: string | undefined
  readonly onText: (text: string) => void
}

function Part({ field, text, errorId, onText }: PartProps) {
  const { label, help, placeholder, isNumber, isLong, choices } = field
  if (choices !== undefined) {
    const isKnown = choices.some(([value]) => value === text)
    const all = isKnown ? choices : [...choices, [text, text] as const]
    return <Select label={label} value={text} choices={all} help={help} onChange={onText} />
  }
  return (
    <Field
      label={label}
      help={help}
      isMonospace
      multiline={isLong === true}
      autoComplete="off"
      placeholder={placeholder}
      value={text}
      errorId={errorId}
      inputProps={{
        ...PLAIN_TEXT,
        ...(isNumber && { inputMode: 'numeric', maxLength: 5 }),
      }}
      onChange={({ target }) =>
        onText(isLong ? target.value.replaceAll(/[\r\n]+/g, '') : target.value)
      }
    />
  )
}

/** A value that the fields of its type cannot show, such as a text of several strings. */
const RAW: ValueField = {
  label: 'Value',
  isLong: true,
  help: 'Enter the value in zone file format. Separate fields would change it.',
}

interface ValueRowProps {
  readonly form: RecordForm
  readonly value: ValueDraft
  readonly at: number
  readonly count: number
  readonly fault: string | undefined
  readonly onParts: (parts: readonly string[]) => void
  readonly onRemove: () => void
}

function ValueRow({ form, value, at, count, fault, onParts, onRemove }: ValueRowProps) {
  const id = useId()
  const { parts, isRaw } = value
  const fields = isRaw ? [RAW] : form.fields
  const name = `${form.what.charAt(0).toUpperCase()}${form.what.slice(1)}${count > 1 ? ` ${at + 1}` : ''}`
  return (
    <fieldset className="record-value">
      <legend className={count > 1 ? '' : 'visually-hidden'}>{name}</legend>
      <div className="record-parts">
        {fields.map((field, n) => (
          <div
            key={field.label}
            className={
              field.isNumber
                ? 'record-part-short'
                : field.choices
                  ? 'record-part-choice'
                  : 'record-part'
            }
          >
            <Part
              field={field}
              text={parts[n] ?? ''}
              errorId={fault === undefined ? undefined : id}
              onText={(text) => onParts(fields.map((_, m) => (m === n ? text : (parts[m] ?? ''))))}
            />
          </div>
        ))}
        {count > 1 && (
          <button
            type="button"
            className="icon-button record-remove"
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          >
            <Icon name="remove" size={16} />
          </button>
        )}
      </div>
      {fault !== undefined && (
        <p id={id} role="alert" className="field-error">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

interface ValueFieldsProps {
  readonly type: string
  readonly values: readonly ValueDraft[]
  readonly faults: ReadonlyMap<number, string>
  readonly onValues: (values: readonly ValueDraft[]) => void
}

/** Gives the focus to the first field of a value that was added. */
function useFocusOfNew(count: number) {
  const list = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  useEffect(() => {
    const rows = list.current?.querySelectorAll('fieldset') ?? []
    if (count > before.current) {
      rows[rows.length - 1]?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    }
    if (count < before.current && document.activeElement === document.body) {
      list.current?.querySelector<HTMLElement>('.record-add-value')?.focus()
    }
    before.current = count
  }, [count])
  return list
}

export function ValueFields({ type, values, faults, onValues }: ValueFieldsProps) {
  const form = formOf(type)
  const list = useFocusOfNew(values.length)
  const canAdd = form.isSingle !== true && values.length < RECORD_BOUNDS.values
  return (
    <div ref={list} className="record-value-list">
      {values.map((value, at) => (
        <ValueRow
          key={value.key}
          form={form}
          value={value}
          at={at}
          count={values.length}
          fault={faults.get(at)}
          onParts={(parts) =>
            onValues(values.map((each) => (each === value ? { ...each, parts } : each)))
          }
          onRemove={() => onValues(values.filter((each) => each !== value))}
        />
      ))}
      {canAdd && (
        <button
          type="button"
          className="text-button record-add-value"
          onClick={() => onValues([...values, newValue(type)])}
        >
          <Icon name="add" size={16} />
          Add another {form.what}
        </button>
      )}
    </div>
  )
}
