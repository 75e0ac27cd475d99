import { timeText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../../../api/account.ts'
import { isDeclined } from '../../../api/confirmation.ts'
import { type PaidPlan, PAYMENTS_KEY, requestRefund } from '../../../api/payments.ts'
import { PLAN_NAMES } from '../../frame/plan-words.ts'

interface RefundDialogProps {
  readonly until: string
  /** The plan of the account afterwards. */
  readonly nextPlan: 'free' | PaidPlan
  readonly onClose: () => void
}

/** The 7-day money-back guarantee. The service asks the user to confirm their identity. */
export function RefundDialog({ until, nextPlan, onClose }: RefundDialogProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: requestRefund,
    onSuccess({ message }) {
      notify({ kind: 'success', text: message })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      onClose()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] }),
  })
  return (
    <Modal
      title="Get your payment back?"
      submit={{ label: 'Refund and End Plan', busyLabel: 'Refunding...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && !isDeclined(error) && (
        <Failure error={error} otherwise="Failed to refund the payment" />
      )}
      <p>
        Your first payment is refunded in full, to the method with which you paid. Your plan ends at
        once, and the account changes to the {PLAN_NAMES[nextPlan]} plan. Nothing is deleted, but
        DNS does not answer for domains over its limit.
      </p>
      <p>Later payments, such as for a change of plan, are not refunded.</p>
      <p>You can do this once, until {timeText(until)}.</p>
    </Modal>
  )
}
