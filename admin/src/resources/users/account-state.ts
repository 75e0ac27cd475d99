import type { AdminUser } from '../../api/client.ts'

export type AccountStatus = Pick<AdminUser, 'account_type' | 'enabled'>

/** The states of an account, as the filter `status` of the API names them. */
export const STATE_LABELS = {
  active: 'Active',
  suspended: 'Suspended',
  disabled: 'Disabled',
} as const

/** Whether an account may be used. An administrator suspends it, or gives it the plan Disabled. */
export function stateOf({ account_type, enabled }: AccountStatus): keyof typeof STATE_LABELS {
  if (!enabled) return 'suspended'
  return account_type === 'disabled' ? 'disabled' : 'active'
}
