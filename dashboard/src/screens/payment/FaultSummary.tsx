/** The fields with an error, at the top of the form: on phones, most of them are out of view. */
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { BillingField } from '../../api/payments.ts'
import { labelOf } from './BillingFields.tsx'

interface FaultSummaryProps {
  /** In the order of the page. */
  readonly fields: readonly BillingField[]
  readonly onChoose: (field: BillingField) => void
}

/** Each field tells its own error, so this is not an alert. The focus is in the first field: one alone needs no summary. */
export function FaultSummary({ fields, onChoose }: FaultSummaryProps) {
  if (fields.length < 2) return null
  return (
    <section className="message message-error" aria-labelledby="checkout-faults">
      <Icon name="failure" />
      <div className="message-text">
        <strong id="checkout-faults">{fields.length} fields need a correction</strong>
        <ul className="checkout-faults">
          {fields.map((field) => (
            <li key={field}>
              <button type="button" className="text-button" onClick={() => onChoose(field)}>
                {labelOf(field)}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
