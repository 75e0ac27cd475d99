/** Rows of administrators' operations. */
import { GOVERNS, LABELS, NO_NAME, REVOKES } from '../inherited-rules.ts'
import type { Rows } from '../row.ts'
import { domain, filtered, nothing, user } from '../usual-calls.ts'

/** A block is about all accounts, and its own owner is not notified: the state of a forward says it. */
const BLOCKS = {
  stepUp: 'always',
  notice: 'exempt: owners see the state of their forwards',
  passwordReset: 'exempt: it gives no access',
} as const

export const ADMIN_ROWS = {
  listUsers: { call: filtered((its) => ({ id: its.userId })) },
  getUser: { call: user },
  updateUser: {
    call: (its) => ({ params: { id: its.userId }, body: { given_name: 'Another' } }),
    inherits: {
      ...LABELS,
      lock: 'holds',
      stepUp: 'for-administrators',
      notice: 'exempt: the former address gets a mail about the new one (`address-notice.test.ts`)',
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
      notice:
        'exempt: it concerns all accounts on the plan, and the dashboard shows them what the plan includes',
      passwordReset: 'exempt: it gives no access',
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
      stepUp: 'exempt: abuse must be stopped quickly, and unlocking reverts it',
    },
  },
  unlockDomain: {
    call: domain,
    inherits: {
      ...GOVERNS,
      lock: 'clears',
      stepUp: 'exempt: the domain keeps its owner, and locking it again reverts it',
    },
  },
  listAllWebForwards: { call: filtered((its) => ({ id: its.forwardId })) },
  moderateWebForward: {
    call: (its) => ({
      params: { id: its.forwardId },
      body: { is_disabled: true, reason: 'The target imitates a bank.' },
    }),
    inherits: {
      ...GOVERNS,
      lock: 'holds',
      stepUp: 'exempt: abuse must be stopped quickly, and enabling reverts it',
    },
  },
  listBlockedTargets: { call: filtered((its) => ({ id: its.blockedTargetId })) },
  createBlockedTarget: {
    call: (_, nonce) => ({
      body: {
        target: `https://${nonce}.evil.example/login`,
        scope: 'path',
        reason: 'It imitates a bank.',
      },
    }),
    inherits: { ...NO_NAME, ...BLOCKS },
  },
  deleteBlockedTarget: {
    call: (its) => ({ params: { id: its.blockedTargetId } }),
    inherits: { ...NO_NAME, ...BLOCKS },
  },
  listLockedNames: { call: filtered((its) => ({ user_id: its.userId })) },
  deleteLockedName: {
    call: (its) => ({ params: { id: its.lockId } }),
    inherits: { ...GOVERNS, lock: 'clears', stepUp: 'always' },
  },
} as const satisfies Partial<Rows>
