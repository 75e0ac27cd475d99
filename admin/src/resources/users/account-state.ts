import type { AdminUser } from '../../api/client.ts'

export type AccountStatus = Pick<AdminUser, 'account_type' | 'enabled'>

/** Whether an account may be used. An administrator suspends it, or gives it the plan Disabled. */
export function stateOf({ account_type, enabled }: AccountStatus) {
  if (!enabled) return 'suspended'
  return account_type === 'disabled' ? 'disabled' : 'active'
}
