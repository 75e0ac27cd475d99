/** Names what somebody else changed about an account while an administrator edited it. Pure. */
import type { AdminUser, AdminUserChange } from '../../api/client.ts'
import { changedFields } from '../../dataProvider.ts'
import { conflictText } from '../../layout/conflict.ts'
import { PLAN_LABELS } from '../plans/plan-labels.ts'

/** The labels of the fields, as the form shows them. */
export const FIELD_LABELS = {
  account_type: 'Plan',
  enabled: 'Can sign in, and domains are served',
  email: 'Email address',
  given_name: 'Given name',
  surname: 'Surname',
} as const satisfies Record<keyof AdminUserChange, string>

function valueText(value: AdminUserChange[keyof AdminUserChange]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value ?? 'empty'
}

/** The account has a larger plan, so the form does not show the complimentary one. */
const HIDDEN_CHANGE =
  'The complimentary plan was changed in the meantime, without an effect on the plan of the account.'

/** What somebody else, the owner or a payment changed. */
export function userConflictText(before: AdminUser, present: AdminUser): string {
  const { account_type: plan, ...others }: AdminUserChange = changedFields('users', {
    data: present,
    previousData: before,
  })
  const changes = { ...(plan && { account_type: PLAN_LABELS[plan] }), ...others }
  const isShown = Object.keys(changes).length > 0
  const opening = isShown ? 'The account was changed in the meantime.' : HIDDEN_CHANGE
  return conflictText({ opening, labels: FIELD_LABELS, changes, valueText })
}
