/** What mails about a subscription say, where it depends on the subscription. */
import { expect, test } from 'vitest'
import type { PaymentMailEvent } from '../../queue/payment-mail.ts'
import { type PaymentFacts, paymentMail } from './payment.ts'

const FACTS: PaymentFacts = {
  plan: 'Elite, annual',
  amount: '$10.00',
  number: null,
  endsOn: '12 May 2027',
  renewsOn: '12 May 2027',
  nextPlan: null,
  canResume: true,
  paymentMethod: 'Visa ending in 4242',
  supportEmail: 'support@example.net',
  endReason: null,
}

const CHANGE = { nextPlan: 'Pro, monthly' }

test.each<[PaymentMailEvent, Partial<PaymentFacts>, string, RegExp]>([
  ['renewal', {}, 'Your plan renews on 12 May 2027', /^Elite, annual renews on 12 May 2027\. /],
  [
    'renewal',
    CHANGE,
    'Your plan changes on 12 May 2027',
    /^Elite, annual changes to Pro, monthly, on 12 May 2027\. We will then charge \$10\.00 /,
  ],
  ['card-expiring', CHANGE, 'Your card expires soon', / payment of \$10\.00 for Pro, monthly on /],
  ['cancelled', {}, 'Your subscription is cancelled', /, and you can resume it until then\.$/],
  [
    'cancelled',
    { canResume: false },
    'Your subscription is cancelled',
    /You keep it until 12 May 2027\.$/,
  ],
  ['ended', { endReason: 'provider' }, 'Your plan has ended', /ended at the payment provider\.$/],
])('%s with %j', (event, changes, subject, text) => {
  const mail = paymentMail({
    ...FACTS,
    ...changes,
    event,
    to: 'ada@example.net',
    username: 'ada',
    publicUrl: new URL('https://dns.example.net'),
  })
  expect(mail.subject).toBe(subject)
  expect(mail.paragraphs[0]).toMatch(text)
})
