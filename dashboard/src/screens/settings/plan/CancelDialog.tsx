import { count, counted, dayText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Me } from '../../../api/account.ts'
import { cancelSubscription, PAYMENTS_KEY, type Subscription } from '../../../api/payments.ts'
import { plansQuery } from '../../../api/plans.ts'
import { PLAN_NAMES } from '../../frame/plan-words.ts'

interface CancelDialogProps {
  readonly subscription: Subscription
  readonly me: Me | undefined
  readonly onClose: () => void
}

const QUESTION =
  'Are you sure you want to cancel your subscription? You will lose access to premium features at the end of your billing period.'

/** What happens to the domains at the end of the plan. */
function DomainsEffect({ subscription, me }: Omit<CancelDialogProps, 'onClose'>) {
  const { data: plans } = useQuery(plansQuery)
  const { complimentaryPlan, endsAt, nextPaymentDue } = subscription
  const next = plans?.find(({ id }) => id === (complimentaryPlan ?? 'free'))
  if (next === undefined || me === undefined) return null
  const { domain_count } = me.limits
  const over = Math.max(0, domain_count - next.domain_limit)
  const end = endsAt ?? nextPaymentDue
  const when = end === null ? 'At the end of the period' : `On ${dayText(end)}`
  const plan = `${when}, the account changes to the ${PLAN_NAMES[next.id]} plan`
  if (over === 0) return <p>{plan}. All your domains keep working.</p>
  const rest = counted(over, 'domain becomes', 'domains become')
  return (
    <p>
      {plan}: {count(domain_count - over)} of your domains keep working, and {rest} inactive, the
      newest first. Nothing is deleted. You can resume the subscription until then.
    </p>
  )
}

/** Asks before the subscription is cancelled. */
export function CancelDialog({ subscription, me, onClose }: CancelDialogProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: cancelSubscription,
    onSuccess({ message }) {
      notify({ kind: 'success', text: message })
      onClose()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: [PAYMENTS_KEY] }),
  })
  return (
    <Modal
      title="Cancel your subscription?"
      submit={{ label: 'Cancel Subscription', busyLabel: 'Cancelling...', isDanger: true }}
      closeLabel="Keep Subscription"
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} otherwise="Failed to cancel subscription" />}
      <p>{QUESTION}</p>
      <DomainsEffect subscription={subscription} me={me} />
    </Modal>
  )
}
