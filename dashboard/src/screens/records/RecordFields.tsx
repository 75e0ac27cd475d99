/** The fields of a record: where it is, what it is, how long resolvers keep it, and its values. */
import { spanText } from '@homing/theme/formats'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { DnsRecord, RecordUsage } from '../../api/records.ts'
import { type RecordDraft, withType } from './record-draft.ts'
import type { RecordFaults } from './record-faults.ts'
import { formOf, OTHER, typeChoices } from './record-forms.ts'
import { fullOwner, type RecordPlace } from './record-place.ts'
import { ValueFields } from './ValueFields.tsx'

/** The service's default, if the plan does not ask for more. In seconds. */
const DEFAULT_TTL = 3_600

interface RecordFieldsProps {
  readonly place: RecordPlace
  readonly usage: RecordUsage
  readonly draft: RecordDraft
  readonly faults: RecordFaults
  /** The type and the owner of an existing record cannot change. */
  readonly isNew: boolean
  readonly onChange: (part: Partial<RecordDraft>) => void
}

function OwnerField({ place, draft, faults, onChange }: RecordFieldsProps) {
  const example = formOf(draft.type).owner
  const full = fullOwner(draft.owner, place.apex)
  return (
    <Field
      label="Name"
      name="owner"
      isMonospace
      autoComplete="off"
      placeholder="@"
      value={draft.owner}
      error={faults.owner}
      help={
        <>
          Full name: <span className="monospace record-full-name">{full}</span>. @ is {place.apex}{' '}
          itself.
          {example !== undefined && ` Often: ${example}.`}
        </>
      }
      inputProps={{ maxLength: 1024, spellCheck: false, autoCapitalize: 'none' }}
      onChange={({ target }) => onChange({ owner: target.value })}
    />
  )
}

function TypeField({ place, usage, draft, faults, onChange }: RecordFieldsProps) {
  const { hint } = formOf(draft.type)
  const plan =
    usage.record_types === 'txt'
      ? ' Your plan includes TXT records; larger plans have every type.'
      : ''
  return (
    <>
      <Select
        label="Type"
        name="type"
        value={draft.type}
        choices={typeChoices(place.kind, usage.record_types)}
        help={hint + plan}
        onChange={(type) => onChange(withType(draft, type))}
      />
      {draft.type === OTHER && (
        <Field
          label="Number of the type"
          name="number"
          autoComplete="off"
          placeholder="65280"
          value={draft.number}
          error={faults.type}
          help="From 1 to 65535, as TYPE65280 has it."
          inputProps={{ inputMode: 'numeric', maxLength: 5 }}
          onChange={({ target }) => onChange({ number: target.value })}
        />
      )}
      {draft.type !== OTHER && faults.type !== undefined && (
        <p role="alert" className="field-error">
          {faults.type}
        </p>
      )}
    </>
  )
}

function TtlField({ usage, draft, faults, isNew, onChange }: RecordFieldsProps) {
  const { minimum_ttl } = usage
  const typed = Number(draft.ttl)
  const isNumber = draft.ttl.trim() !== '' && Number.isSafeInteger(typed) && typed > 0
  const fallback = Math.max(DEFAULT_TTL, minimum_ttl)
  const empty = isNew ? `Empty: ${spanText(fallback)}.` : 'Empty: it stays as it is.'
  const range = `At least ${spanText(minimum_ttl)}, at most 7 days.`
  return (
    <Field
      label="TTL in seconds"
      name="ttl"
      autoComplete="off"
      placeholder={String(fallback)}
      value={draft.ttl}
      error={faults.ttl}
      help={`${isNumber ? `Resolvers keep it for ${spanText(typed)}.` : empty} ${range}`}
      inputProps={{ inputMode: 'numeric', maxLength: 6 }}
      onChange={({ target }) => onChange({ ttl: target.value })}
    />
  )
}

export function RecordFields(props: RecordFieldsProps) {
  const { draft, faults, isNew, onChange } = props
  return (
    <>
      {isNew && <TypeField {...props} />}
      {isNew && <OwnerField {...props} />}
      <ValueFields
        key={draft.type}
        type={draft.type}
        values={draft.values}
        faults={faults.values}
        onValues={(values) => onChange({ values })}
      />
      <TtlField {...props} />
    </>
  )
}

interface PreviewProps {
  /** The record as it would be; undefined while it is unknown. */
  readonly record: DnsRecord | undefined
}

/** What DNS would answer. */
export function RecordPreview({ record }: PreviewProps) {
  return (
    <div role="status" className="record-preview-place">
      {record !== undefined && (
        <div className="record-preview">
          <h3>DNS will answer</h3>
          {record.values.map((value) => (
            <p key={value} className="monospace" dir="ltr">
              {record.owner}. {record.ttl} {record.type} {value}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
