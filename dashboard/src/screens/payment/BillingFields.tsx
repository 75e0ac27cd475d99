/** The eight billing fields. The country is first, because it decides which of the others are required. */
import { COUNTRIES, FIRST_COUNTRIES, isFieldRequired } from '../../api/address-rules.ts'
import { BILLING_TEXT_LIMIT } from '@homing/openapi/vocabulary'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { BillingDetails, BillingField } from '../../api/payments.ts'
import { countryName } from '../../components/country-name.ts'

interface FieldTerms {
  readonly label: string
  readonly autoComplete: string
  readonly type?: 'email'
}

type TextField = Exclude<BillingField, 'country'>

const FIELDS: Readonly<Record<TextField, FieldTerms>> = {
  firstName: { label: 'First name', autoComplete: 'billing given-name' },
  lastName: { label: 'Last name', autoComplete: 'billing family-name' },
  email: { label: 'Email', autoComplete: 'billing email', type: 'email' },
  address: { label: 'Address', autoComplete: 'billing street-address' },
  city: { label: 'City', autoComplete: 'billing address-level2' },
  state: { label: 'State or region', autoComplete: 'billing address-level1' },
  zipCode: { label: 'ZIP or postal code', autoComplete: 'billing postal-code' },
}
const TEXT_FIELDS = Object.keys(FIELDS) as TextField[]
const COUNTRY_LABEL = 'Country'

export const labelOf = (field: BillingField): string =>
  field === 'country' ? COUNTRY_LABEL : FIELDS[field].label

/** The specification's countries, and then all others by name. */
function countryChoices(): readonly (readonly [string, string])[] {
  const first: readonly string[] = FIRST_COUNTRIES
  const others = COUNTRIES.filter((code) => !first.includes(code)).map(
    (code) => [code, countryName(code)] as const,
  )
  others.sort(([, one], [, other]) => one.localeCompare(other, 'en'))
  return [...first.map((code) => [code, countryName(code)] as const), ...others]
}

const CHOICES = countryChoices()

interface BillingFieldsProps {
  readonly details: BillingDetails
  readonly faults: Readonly<Partial<Record<BillingField, string>>>
  readonly onChange: (field: BillingField, text: string) => void
}

export function BillingFields({ details, faults, onChange }: BillingFieldsProps) {
  const { country } = details
  return (
    <>
      <Select
        label={COUNTRY_LABEL}
        name="country"
        autoComplete="billing country"
        value={country}
        choices={CHOICES}
        onChange={(code) => onChange('country', code)}
      />
      <div className="checkout-fields">
        {TEXT_FIELDS.map((field) => {
          const { label, autoComplete, type = 'text' } = FIELDS[field]
          const isRequired = isFieldRequired(field, country)
          return (
            <Field
              key={field}
              label={isRequired ? label : `${label} (optional)`}
              name={field}
              type={type}
              autoComplete={autoComplete}
              aria-required={isRequired}
              value={details[field]}
              error={faults[field]}
              inputProps={{
                maxLength: BILLING_TEXT_LIMIT,
                ...(type === 'email' && { spellCheck: false, autoCapitalize: 'none' }),
              }}
              onChange={({ target }) => onChange(field, target.value)}
            />
          )
        })}
      </div>
    </>
  )
}
