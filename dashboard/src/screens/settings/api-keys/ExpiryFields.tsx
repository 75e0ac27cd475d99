import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { dayOf, type Expiry, type KeyDraft } from './key-draft.ts'

interface ExpiryFieldsProps {
  readonly draft: KeyDraft
  readonly error?: string | undefined
  readonly onChange: (change: Partial<KeyDraft>) => void
}

const EXPIRIES: readonly (readonly [Expiry, string])[] = [
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['date', 'On a day that I choose'],
  ['never', 'Never'],
]

const UNUSED: readonly (readonly [string, string])[] = [
  ['', 'Keeps working'],
  ['30', 'Expires after 30 days'],
  ['90', 'Expires after 90 days'],
  ['365', 'Expires after a year'],
]

/** The choices, and the current number of days if it was set elsewhere. */
const unusedChoices = (days: string) =>
  UNUSED.some(([value]) => value === days)
    ? UNUSED
    : [...UNUSED, [days, `Expires after ${days} days`] as const]

/** When a key expires: at a time, and without use. */
export function ExpiryFields({ draft, error, onChange }: ExpiryFieldsProps) {
  const { expiry, lastDay, unusedDays } = draft
  return (
    <>
      <div className="choices-row">
        <Select<Expiry>
          label="Expires"
          value={expiry}
          choices={EXPIRIES}
          onChange={(chosen) => onChange({ expiry: chosen })}
        />
        <Select
          label="If it is not used"
          value={unusedDays}
          choices={unusedChoices(unusedDays)}
          onChange={(days) => onChange({ unusedDays: days })}
        />
      </div>
      {expiry === 'date' ? (
        <Field
          label="Last day"
          name="last_day"
          type="date"
          autoComplete="off"
          value={lastDay}
          error={error}
          inputProps={{ min: dayOf(new Date()) }}
          onChange={({ target }) => onChange({ lastDay: target.value })}
        />
      ) : (
        error !== undefined && (
          <p role="alert" className="field-error">
            {error}
          </p>
        )
      )}
      {expiry === 'never' && unusedDays === '' && (
        <Message tone="warn">
          <p>
            This key works until you delete it. If it leaks and nobody notices, it stays usable.
            Choose an expiry if you can.
          </p>
        </Message>
      )}
    </>
  )
}
