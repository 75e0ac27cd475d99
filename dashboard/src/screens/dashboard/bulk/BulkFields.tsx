import { Field } from '@homing/theme/parts/Field.tsx'
import { OwnAddressButton } from '../OwnAddressButton.tsx'
import { type BulkAction, type BulkValues, contradictions, FAMILY_NAMES } from './bulk-actions.ts'

interface BulkFieldsProps {
  readonly action: BulkAction
  readonly values: BulkValues
  readonly onChange: (values: BulkValues) => void
}

const FAMILIES = ['ipv4', 'ipv6'] as const

const AS_TYPED = { spellCheck: false, autoCapitalize: 'none' } as const

function AddressField({ values, onChange }: Omit<BulkFieldsProps, 'action'>) {
  const set = (addresses: string) => onChange({ ...values, addresses })
  const [both] = contradictions(values)
  return (
    <>
      <Field
        label="Addresses"
        autoFocus
        isMonospace
        autoComplete="off"
        value={values.addresses}
        error={both && `Enter an ${FAMILY_NAMES[both]} address or remove it, not both.`}
        help="An IPv4 address, an IPv6 address or both. The other family stays as it is."
        inputProps={{ ...AS_TYPED, maxLength: 128 }}
        onChange={(event) => set(event.target.value)}
      />
      <OwnAddressButton onAddress={set} />
      {FAMILIES.map((family) => (
        <label key={family} className="bulk-check">
          <input
            type="checkbox"
            checked={values.removed.includes(family)}
            onChange={({ target }) => {
              const others = values.removed.filter((each) => each !== family)
              onChange({ ...values, removed: target.checked ? [...others, family] : others })
            }}
          />
          Remove the {FAMILY_NAMES[family]} address
        </label>
      ))}
    </>
  )
}

function TagFields({ values, onChange }: Omit<BulkFieldsProps, 'action'>) {
  return (
    <>
      <Field
        label="Add tags"
        autoFocus
        autoComplete="off"
        value={values.addedTags}
        help="Separate several tags by commas. A domain can have 10."
        inputProps={{ maxLength: 400 }}
        onChange={(event) => onChange({ ...values, addedTags: event.target.value })}
      />
      <Field
        label="Remove tags"
        autoComplete="off"
        value={values.removedTags}
        help="Domains without the tag stay as they are."
        inputProps={{ maxLength: 400 }}
        onChange={(event) => onChange({ ...values, removedTags: event.target.value })}
      />
    </>
  )
}

/** What an action without fields does. */
const EFFECTS: Readonly<Record<Exclude<BulkAction, 'address' | 'tags'>, readonly string[]>> = {
  pause: ['DNS stops serving them and their wildcards. Updates are still stored.'],
  resume: ['DNS serves them and their wildcards again.'],
  'monitor-on': [
    'The service checks whether they answer, and tells you by mail when one is down and when it is up again.',
  ],
  'monitor-off': [
    'The service no longer checks them. The settings and the history of their monitors stay.',
  ],
  delete: [
    'DNS stops answering for them, their wildcards and records, and refuses their updates.',
    'You can restore them for 30 days, but without the uptime history of their monitors.',
  ],
}

/** The fields of an action, or its effect. */
export function BulkFields({ action, ...fields }: BulkFieldsProps) {
  if (action === 'address') return <AddressField {...fields} />
  if (action === 'tags') return <TagFields {...fields} />
  return EFFECTS[action].map((sentence) => <p key={sentence}>{sentence}</p>)
}
