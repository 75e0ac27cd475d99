/** How the subscription is paid. The user enters the card, or approves the payment, on the page of the provider. */
import type { Subscription } from '../../api/payments.ts'
import { Radios } from '../../components/Choices.tsx'
import type { ProviderSwitch } from '../frame/switch-of-provider.ts'
import type { Method } from './checkout-draft.ts'

interface MethodChoiceProps {
  readonly method: Method
  readonly canUse: Subscription['canUse']
  /** Set if only the other provider can be chosen. */
  readonly other: ProviderSwitch | undefined
  readonly onChange: (method: Method) => void
}

const NO_CARD = 'Payments by card are not available on this service.'
const NO_PAYPAL = 'PayPal is not configured. Please contact support.'

const PRESENT = 'Your present subscription is paid this way.'

interface Way {
  readonly value: Method
  readonly label: string
  readonly isConfigured: boolean
  readonly text: string
  /** What it says without a configuration. */
  readonly missing: string
}

/** A way to pay. One that only the present subscription uses is shown, and cannot be chosen. */
function choiceOf(
  { value, label, isConfigured, text, missing }: Way,
  other: ProviderSwitch | undefined,
) {
  const isPresent = other !== undefined && other.method !== value
  const present = other?.canResume === true ? `${PRESENT} Resume it to keep it.` : PRESENT
  const known = isPresent ? present : text
  return {
    value,
    label,
    text: isConfigured ? known : missing,
    isDisabled: !isConfigured || isPresent,
  }
}

export function MethodChoice({ method, canUse, other, onChange }: MethodChoiceProps) {
  const ways: readonly Way[] = [
    {
      value: 'stripe',
      label: 'Card',
      isConfigured: canUse.card,
      text: 'You enter it on the secure page of Stripe.',
      missing: NO_CARD,
    },
    {
      value: 'paypal',
      label: 'PayPal',
      isConfigured: canUse.paypal,
      text: 'You approve the payment at PayPal.',
      missing: NO_PAYPAL,
    },
  ]
  return (
    <Radios<Method | 'crypto'>
      legend="Payment method"
      className="choices-cards checkout-methods"
      value={method}
      choices={[
        ...ways.map((way) => choiceOf(way, other)),
        {
          value: 'crypto',
          label: 'Cryptocurrency (Coming Soon)',
          text: 'Cryptocurrency payments coming soon!',
          isDisabled: true,
        },
      ]}
      onChange={(next) => {
        if (next !== 'crypto') onChange(next)
      }}
    />
  )
}
