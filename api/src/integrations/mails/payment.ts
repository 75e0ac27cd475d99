/** Mails about a subscription. */
import type { PaymentMailEvent } from '../../queue/payment-mail.ts'
import type { MailParts } from './mail.ts'

/** What the texts name. */
export interface PaymentFacts {
  /** `Pro, annual`. */
  readonly plan: string
  /** `$110.00`: of the invoice or the credit note, else of the next payment. */
  readonly amount: string
  /** `H-2026-000123`; null: the mail is about no invoice. */
  readonly number: string | null
  /** The day on which the plan ends; null: it renews. */
  readonly endsOn: string | null
  /** The day of the next payment; null: nothing is due. */
  readonly renewsOn: string | null
  /** What begins then: `Pro, monthly`; null: the plan stays. */
  readonly nextPlan: string | null
  /** Whether the owner cancelled, and can take it back. */
  readonly canResume: boolean
  /** `Visa ending in 4242`; null: unknown. */
  readonly paymentMethod: string | null
  readonly supportEmail: string
  /** Why the plan ended. */
  readonly endReason: string | null
}

interface Wording {
  readonly subject: (facts: PaymentFacts) => string
  readonly paragraphs: (facts: PaymentFacts) => readonly string[]
  readonly link: { readonly label: string; readonly path: string }
}

const SUBSCRIPTION = '/#settings/subscription'
const INVOICES = '/#settings/plan'
const VIEW = { label: 'View my subscription', path: SUBSCRIPTION }
const PAY = { label: 'Update my payment method', path: SUBSCRIPTION }
const KEPT =
  'Nothing is deleted. Domains over the limit of the Free plan are withheld from DNS, and they return when you subscribe again.'

const until = ({ endsOn }: PaymentFacts) => (endsOn === null ? 'for now' : `until ${endsOn}`)
const method = ({ paymentMethod }: PaymentFacts) => paymentMethod ?? 'your payment method'

const END_REASONS: Readonly<Record<string, string>> = {
  unpaid: 'We did not receive a payment within 14 days.',
  canceled: 'It was cancelled, and the paid period is over.',
  refunded: 'Its payment was refunded in full.',
  disputed: 'The payment was taken back by the bank or by PayPal.',
  administrator: 'An administrator ended it.',
  provider: 'It was ended at the payment provider.',
}

const WORDINGS: Readonly<Record<PaymentMailEvent, Wording>> = {
  receipt: {
    subject: ({ number }) => `Receipt ${number ?? ''}`.trim(),
    paragraphs: (facts) => [
      `We received your payment of ${facts.amount} for ${facts.plan}.`,
      ...(facts.renewsOn === null ? [] : [`The next payment is due on ${facts.renewsOn}.`]),
      `You can find invoice ${facts.number ?? ''} in your settings.`,
    ],
    link: { label: 'View my invoices', path: INVOICES },
  },
  'payment-failed': {
    subject: () => 'Your payment failed',
    paragraphs: (facts) => [
      `We could not charge ${facts.amount} for ${facts.plan} to ${method(facts)}.`,
      `You keep your plan ${until(facts)}. Please update your payment method, so that it does not end.`,
    ],
    link: PAY,
  },
  'grace-half': {
    subject: ({ endsOn }) => `Your plan ends on ${endsOn ?? 'soon'}`,
    paragraphs: (facts) => [
      `The payment of ${facts.amount} for ${facts.plan} is still missing. You keep your plan ${until(facts)}.`,
      KEPT,
    ],
    link: PAY,
  },
  'grace-last-day': {
    subject: () => 'Your plan ends tomorrow',
    paragraphs: (facts) => [
      `The payment of ${facts.amount} for ${facts.plan} is still missing. This is the last day: your plan ends on ${facts.endsOn ?? 'tomorrow'}.`,
      KEPT,
    ],
    link: PAY,
  },
  'card-expiring': {
    subject: () => 'Your card expires soon',
    paragraphs: (facts) => [
      `${facts.paymentMethod ?? 'Your card'} expires before the next payment of ${facts.amount} for ${facts.nextPlan ?? facts.plan}${facts.renewsOn === null ? '' : ` on ${facts.renewsOn}`}.`,
      'Please update your payment method, so that your plan does not end.',
    ],
    link: PAY,
  },
  renewal: {
    subject: ({ renewsOn, nextPlan }) =>
      `Your plan ${nextPlan === null ? 'renews' : 'changes'} on ${renewsOn ?? 'soon'}`,
    paragraphs: (facts) => [
      `${facts.plan} ${facts.nextPlan === null ? 'renews' : `changes to ${facts.nextPlan},`} on ${facts.renewsOn ?? 'its next day'}. We will then charge ${facts.amount} to ${method(facts)}.`,
      'To change or cancel your plan, open your settings before then.',
    ],
    link: VIEW,
  },
  cancelled: {
    subject: () => 'Your subscription is cancelled',
    paragraphs: (facts) => [
      `Your subscription (${facts.plan}) is cancelled and does not renew. You keep it ${until(facts)}${facts.canResume ? ', and you can resume it until then' : ''}.`,
      KEPT,
    ],
    link: VIEW,
  },
  ended: {
    subject: () => 'Your plan has ended',
    paragraphs: (facts) => [
      [`Your subscription (${facts.plan}) has ended.`, END_REASONS[facts.endReason ?? '']]
        .filter((part) => part !== undefined)
        .join(' '),
      KEPT,
    ],
    link: VIEW,
  },
  refunded: {
    subject: () => 'Your payment is refunded',
    paragraphs: (facts) => [
      `We refunded ${facts.amount} for ${facts.plan}. It can take some days until your bank or PayPal shows it.`,
      `You can find credit note ${facts.number ?? ''} in your settings.`,
    ],
    link: { label: 'View my invoices', path: INVOICES },
  },
  'surplus-refunded': {
    subject: () => 'A second subscription was cancelled and refunded',
    paragraphs: (facts) => [
      `You paid for two subscriptions, and an account can have only one. We cancelled the second one, ${facts.plan}, and refunded ${facts.amount}. It can take some days until your bank or PayPal shows it.`,
      'Your first subscription continues.',
    ],
    link: VIEW,
  },
}

/** Notifies the owner of an account of an event of the subscription. */
export function paymentMail(
  mail: PaymentFacts & {
    readonly event: PaymentMailEvent
    readonly to: string
    readonly username: string
    readonly publicUrl: URL
  },
): MailParts {
  const { subject, paragraphs, link } = WORDINGS[mail.event]
  return {
    to: mail.to,
    subject: subject(mail),
    greeting: `Hello ${mail.username},`,
    paragraphs: paragraphs(mail),
    link: { label: link.label, url: new URL(link.path, mail.publicUrl).href },
    footer: `Questions about payments: ${mail.supportEmail}`,
  }
}
