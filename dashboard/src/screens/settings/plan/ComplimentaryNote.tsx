import { Message } from '@homing/theme/parts/Message.tsx'
import type { PaidPlan } from '../../../api/payments.ts'
import { PLAN_NAMES } from '../../frame/plan-words.ts'

interface ComplimentaryNoteProps {
  readonly plan: PaidPlan
  readonly hasSubscription: boolean
}

/** A plan that an administrator gave the account. The larger one of it and the subscription counts. */
export function ComplimentaryNote({ plan, hasSubscription }: ComplimentaryNoteProps) {
  return (
    <Message tone="info">
      <p>
        {`An administrator gave you the ${PLAN_NAMES[plan]} plan free of charge.`}
        {hasSubscription && ' It does not depend on your subscription.'}
      </p>
    </Message>
  )
}
