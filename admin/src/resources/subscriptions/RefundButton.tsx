/** Refunds the last payment of a subscription, with a reason. The API asks the administrator to confirm their identity. */
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { useDataProvider, useNotify, useRefresh } from 'react-admin'
import type { AdminSubscription } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'
import { ReasonDialog } from '../../layout/ReasonDialog.tsx'
import { amountText } from './words.ts'

const REASON_LIMIT = 500

interface RefundDialogProps {
  readonly subscription: AdminSubscription
  readonly onClose: () => void
}

function RefundDialog({ subscription, onClose }: RefundDialogProps) {
  const { id, username, provider_id, refundable_cents, currency } = subscription
  const amount = refundable_cents === null ? undefined : amountText(refundable_cents, currency)
  const [endsPlan, setEndsPlan] = useState(true)
  const provider = useDataProvider<AdminDataProvider>()
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending, error } = useWrite({
    mutationFn: (reason: string) =>
      provider.refundSubscription(id, { reason, ends_plan: endsPlan }),
    onSuccess() {
      const what = amount === undefined ? 'The last payment' : `${amount} of the last payment`
      notify(`${what} of ${provider_id} was refunded.`, { type: 'success' })
      refresh()
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={`Refund the last payment of ${username ?? provider_id}?`}
      submit={{ label: 'Refund', busyLabel: 'Refunding…' }}
      help="It is kept with the refund."
      maxLength={REASON_LIMIT}
      isBusy={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <p>
        {amount === undefined
          ? 'The last payment is refunded in full.'
          : `${amount} of the last payment is refunded.`}{' '}
        This cannot be undone.
      </p>
      <CheckField
        name="ends_plan"
        isChecked={endsPlan}
        help="Without it, the subscription continues and the next payment is due as before."
        onChange={setEndsPlan}
      >
        End the subscription at once
      </CheckField>
    </ReasonDialog>
  )
}

/** What was never paid, or was refunded, cannot be refunded. Of a deleted account, only the provider knows. */
const isRefundable = ({ state, started_at, refundable_cents }: AdminSubscription) =>
  state !== 'incomplete' &&
  started_at !== null &&
  (refundable_cents === null || refundable_cents > 0)

export function RefundButton({ subscription }: { subscription: AdminSubscription }) {
  const [isAsked, setAsked] = useState(false)
  if (!isRefundable(subscription)) return null
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        color="error"
        aria-label={`Refund ${subscription.provider_id}`}
        onClick={() => setAsked(true)}
      >
        Refund
      </Button>
      {isAsked && <RefundDialog subscription={subscription} onClose={() => setAsked(false)} />}
    </>
  )
}
