/** Rows of what administrators do. */
import { GOVERNS, LABELS, NO_NAME, REVOKES } from '../inherited-rules.ts'
import type { Rows } from '../row.ts'
import { domain, filtered, nothing, user } from '../usual-calls.ts'

export const ADMIN_ROWS = {
  listUsers: { call: filtered((its) => ({ id: its.userId })) },
  getUser: { call: user },
  updateUser: {
    call: (its) => ({ params: { id: its.userId }, body: { given_name: 'Another' } }),
    inherits: {
      ...LABELS,
      lock: 'holds',
      stepUp: 'for-administrators',
      notice: 'exempt: another address is told to the former one (`address-notice.test.ts`)',
    },
  },
  endUserSessions: { call: user, inherits: { ...REVOKES, stepUp: 'for-administrators' } },
  resetSecondFactors: {
    call: user,
    inherits: { ...REVOKES, stepUp: 'always', notice: 'second-factor' },
  },
  previewUserPlan: {
    call: (its) => ({ params: { id: its.userId }, query: { plan: 'free' } }),
  },
  listPlans: { call: nothing },
  getPlan: { call: () => ({ params: { id: 'elite' } }) },
  updatePlan: {
    call: () => ({ params: { id: 'elite' }, body: { stealth_flag_limit: 51 } }),
    inherits: {
      ...NO_NAME,
      lock: 'holds',
      stepUp: 'always',
      notice: 'exempt: it concerns everybody on the plan, whom the dashboard shows what it gives',
      passwordReset: 'exempt: it gives nobody access',
    },
  },
  previewPlanChange: {
    call: () => ({ params: { id: 'elite' }, body: { domain_limit: 1 } }),
    inherits: 'changes nothing',
  },
  listAllDomains: { call: (its) => ({ query: { user_id: its.userId } }) },
  getAnyDomain: { call: domain },
  lockDomain: {
    call: domain,
    inherits: {
      ...GOVERNS,
      lock: 'holds',
      stepUp: 'exempt: abuse has to be stopped quickly, and unlocking takes it back',
    },
  },
  unlockDomain: {
    call: domain,
    inherits: {
      ...GOVERNS,
      lock: 'clears',
      stepUp: 'exempt: the domain keeps its owner, and locking it again takes it back',
    },
  },
  listLockedNames: { call: filtered((its) => ({ user_id: its.userId })) },
  deleteLockedName: {
    call: (its) => ({ params: { id: its.lockId } }),
    inherits: { ...GOVERNS, lock: 'clears', stepUp: 'always' },
  },
} as const satisfies Partial<Rows>
