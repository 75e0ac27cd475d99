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

const PRESENT = 'Your present subscription is paid this way. Resume it to keep it.'

export function MethodChoice({ method, canUse, other, onChange }: MethodChoiceProps) {
  const isOffered = {
    card: canUse.card && other?.method !== 'paypal',
    paypal: canUse.paypal && other?.method !== 'stripe',
  }
  return (
    <Radios<Method | 'crypto'>
      legend="Payment method"
      className="choices-cards checkout-methods"
      value={method}
      choices={[
        {
          value: 'stripe',
          label: 'Card',
          text: isOffered.card
            ? 'You enter it on the secure page of Stripe.'
            : canUse.card
              ? PRESENT
              : NO_CARD,
          isDisabled: !isOffered.card,
        },
        {
          value: 'paypal',
          label: 'PayPal',
          text: isOffered.paypal
            ? 'You approve the payment at PayPal.'
            : canUse.paypal
              ? PRESENT
              : NO_PAYPAL,
          isDisabled: !isOffered.paypal,
        },
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
