/** The form of the checkout. It ends at the page of the provider. */
import { addressFaults } from '../../api/address-rules.ts'
import { BILLING_FIELDS } from '@homing/openapi/vocabulary'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { ChosenPlan } from '../../api/intended-plan.ts'
import {
  type BillingField,
  createCheckout,
  type NewCheckout,
  PAYMENTS_KEY,
} from '../../api/payments.ts'
import { ApiProblem } from '../../api/problem.ts'
import { goToProvider, NoProviderPage, onReturn } from '../../api/provider-page.ts'
import { RepeatableChange } from '../../api/repeatable-change.ts'
import type { Subscription } from '../../api/payments.ts'
import { type Price, priceText } from '../frame/subscription-words.ts'
import type { ProviderSwitch } from '../frame/switch-of-provider.ts'
import { BillingFields } from './BillingFields.tsx'
import { type CheckoutDraft, keepDraft, type Method, trimmed } from './checkout-draft.ts'
import { FaultSummary } from './FaultSummary.tsx'
import { MethodChoice } from './MethodChoice.tsx'
import { termsText } from './OrderSummary.tsx'

type Faults = Readonly<Partial<Record<BillingField, string>>>

const FAILURES: Readonly<Record<Method, string>> = {
  stripe: 'Payment initialization failed',
  paypal: 'PayPal payment initialization failed',
}

/** The service answered without a page of PayPal. */
const NO_APPROVAL = 'Failed to create PayPal subscription'

/** Begins the payment and goes to the page of the provider. @throws ApiProblem, NetworkFailure, NoProviderPage */
async function beginPayment(body: NewCheckout, change: RepeatableChange): Promise<void> {
  const { checkoutUrl, approvalUrl } = await change.send(body, createCheckout)
  const isPaypal = body.provider === 'paypal'
  const page = isPaypal ? approvalUrl : checkoutUrl
  if (page === undefined) throw new Error(isPaypal ? NO_APPROVAL : FAILURES.stripe)
  goToProvider(page)
}

/** The errors of fields in the answer of the service. */
function faultsIn(error: Error): Faults {
  if (!(error instanceof ApiProblem)) return {}
  const entries = BILLING_FIELDS.map(
    (field) => [field, error.of(`billingDetails.${field}`, `billingDetails/${field}`)] as const,
  )
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined))
}

/** What the message above the form says; undefined if fields show the errors. */
function failureText(error: Error, method: Method): string | undefined {
  if (error instanceof NoProviderPage) return FAILURES[method]
  if (error instanceof ApiProblem) return error.detail ?? FAILURES[method]
  return 'detail' in error ? `${FAILURES[method]}. ${String(error.detail)}` : error.message
}

function useFaults() {
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // In the order of the page, after each attempt.
    if (Object.keys(faults).length > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
    // Typing in a field removes its error, and must not move the focus.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [faults])
  return { faults, setFaults, form }
}

interface CheckoutFormProps {
  /** The account that buys. */
  readonly userId: string
  readonly chosen: ChosenPlan
  readonly price: Price
  readonly canUse: Subscription['canUse']
  /** Set if it follows a subscription at the other provider. */
  readonly other: ProviderSwitch | undefined
  readonly initial: CheckoutDraft
}

export function CheckoutForm(props: CheckoutFormProps) {
  const { userId, chosen, price, canUse, other, initial } = props
  const queries = useQueryClient()
  const [draft, setDraft] = useState(initial)
  const [isLeaving, setLeaving] = useState(false)
  const [changed, setChanged] = useState<readonly BillingField[]>([])
  const [change] = useState(() => new RepeatableChange())
  const { faults, setFaults, form } = useFaults()
  const { details } = draft
  const method = other?.method ?? draft.method
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: (body: NewCheckout) => beginPayment(body, change),
    onSuccess: () => setLeaving(true),
    onError(refusal) {
      setFaults(faultsIn(refusal))
      setChanged([])
      if (refusal instanceof ApiProblem && refusal.code === 'subscription-exists') {
        void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] })
      }
    },
  })
  const { waitSeconds, labelOf } = useHold(error)
  const isBusy = isPending || isLeaving
  useEffect(() => keepDraft(userId, draft), [userId, draft])
  // The user went back from the provider to this page as it was.
  useEffect(() => onReturn(() => setLeaving(false)), [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy || waitSeconds > 0) return
    const billingDetails = trimmed(details)
    const found = addressFaults(billingDetails)
    reset()
    setFaults(Object.fromEntries(found.map(({ field, text }) => [field, text])))
    setChanged([])
    if (found.length === 0) mutate({ ...chosen, provider: method, billingDetails })
  }

  const shown: Faults = {
    ...faults,
    ...Object.fromEntries(changed.map((field) => [field, undefined])),
  }
  const isAtField = error !== null && Object.keys(faultsIn(error)).length > 0
  return (
    <form ref={form} className="card checkout-form" noValidate onSubmit={submit}>
      <FaultSummary
        fields={BILLING_FIELDS.filter((field) => shown[field] !== undefined)}
        onChoose={(field) => form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()}
      />
      <MethodChoice
        method={method}
        canUse={canUse}
        other={other}
        onChange={(next) => {
          if (error) reset()
          setDraft({ ...draft, method: next })
        }}
      />
      <h2>Billing information</h2>
      <BillingFields
        details={details}
        faults={shown}
        onChange={(field, text) => {
          // Another country can require other fields.
          setChanged(field === 'country' ? ['state', 'zipCode'] : [...changed, field])
          setDraft((before) => ({ ...before, details: { ...before.details, [field]: text } }))
        }}
      />
      {/* Beside the button: the top of the form is out of view on phones. */}
      {error && !isAtField && (
        <Failure error={error} text={failureText(error, method)} hasTimer={false} />
      )}
      <Button
        type="submit"
        variant="contained"
        size="large"
        fullWidth
        aria-disabled={isBusy || waitSeconds > 0}
      >
        {isBusy ? 'Processing...' : labelOf(`Subscribe for ${priceText(price, chosen.billing)}`)}
      </Button>
      <p className="muted checkout-terms">{termsText(chosen, price, other?.beginsAt)}</p>
    </form>
  )
}
