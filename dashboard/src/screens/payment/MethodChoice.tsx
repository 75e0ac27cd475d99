/** How the subscription is paid. The user enters the card, or approves the payment, on the page of the provider. */
import type { Subscription } from '../../api/payments.ts'
import { Radios } from '../../components/Choices.tsx'
import type { Method } from './checkout-draft.ts'

interface MethodChoiceProps {
  readonly method: Method
  readonly canUse: Subscription['canUse']
  readonly onChange: (method: Method) => void
}

const NO_CARD = 'Payments by card are not available on this service.'
const NO_PAYPAL = 'PayPal is not configured. Please contact support.'

export function MethodChoice({ method, canUse, onChange }: MethodChoiceProps) {
  return (
    <Radios<Method | 'crypto'>
      legend="Payment method"
      className="choices-cards checkout-methods"
      value={method}
      choices={[
        {
          value: 'stripe',
          label: 'Card',
          text: canUse.card ? 'You enter it on the secure page of Stripe.' : NO_CARD,
          isDisabled: !canUse.card,
        },
        {
          value: 'paypal',
          label: 'PayPal',
          text: canUse.paypal ? 'You approve the payment at PayPal.' : NO_PAYPAL,
          isDisabled: !canUse.paypal,
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
