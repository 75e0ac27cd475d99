/** Rows of operations on the caller's own account. */
import { PASSWORD } from '../../../support/api-world.ts'
import { CHANGES_SIGN_IN, LABELS, NO_NAME, REVOKES } from '../inherited-rules.ts'
import type { Row, Rows } from '../row.ts'
import { NO_TOKEN, nothing, UNSIGNED } from '../usual-calls.ts'

const passkey: Row['call'] = (its) => ({ params: { id: its.passkeyId } })

export const ACCOUNT_ROWS = {
  getMe: { call: nothing },
  followChanges: { call: nothing },
  updateProfile: { call: () => ({ body: { given_name: 'Another' } }), inherits: LABELS },
  getNotifications: { call: nothing },
  updateNotifications: { call: () => ({ body: { not_updated_days: 7 } }), inherits: LABELS },
  listNotices: { call: nothing },
  dismissNotice: { call: (its) => ({ params: { id: its.noticeId } }), inherits: LABELS },
  changePassword: {
    call: () => ({ body: { current_password: PASSWORD, new_password: 'another good password' } }),
    inherits: {
      ...CHANGES_SIGN_IN,
      stepUp: 'with-second-factor',
      notice: 'password-changed',
      passwordReset: 'exempt: a reset sets another password',
    },
  },
  changeEmail: {
    call: (_, nonce) => ({ body: { email: `other${nonce}@mail.test`, password: PASSWORD } }),
    inherits: {
      ...CHANGES_SIGN_IN,
      stepUp: 'with-second-factor',
      notice: 'change-email',
      passwordReset: 'ends',
    },
    probes: {
      'an address that is taken': {
        call: (its) => ({ body: { email: its.email, password: PASSWORD } }),
        writes: true,
      },
    },
  },
  confirmEmailChange: {
    call: () => ({ body: { token: NO_TOKEN } }),
    answers: 400,
    inherits: {
      ...CHANGES_SIGN_IN,
      stepUp: 'exempt: the links of both addresses are the proof',
      notice: 'email-changed',
      passwordReset: 'exempt: a reset is sent to this address',
    },
  },
  deleteAccount: {
    call: () => ({ body: { password: PASSWORD } }),
    refuses: { administrator: 'conflict' },
    inherits: {
      ...NO_NAME,
      // Locks outlive the account, and a deleted account reserves no names: `lock-evasion.test.ts`.
      lock: 'holds',
      stepUp: 'with-second-factor',
      notice: 'account-deletion',
      passwordReset: 'exempt: signing in with the new password cancels the deletion',
    },
  },
  logout: { call: nothing, inherits: REVOKES },
  listSessions: { call: nothing },
  endOtherSessions: { call: nothing, inherits: REVOKES },
  endSession: { call: (its) => ({ params: { id: its.sessionId } }), inherits: REVOKES },
  listLogins: { call: nothing },
  exportAccount: { call: nothing },
  previewPlan: { call: () => ({ query: { plan: 'free' } }) },

  getSecondFactors: { call: nothing },
  startTotp: {
    call: nothing,
    inherits: { ...CHANGES_SIGN_IN, notice: 'exempt: it has no effect until it is confirmed' },
  },
  confirmTotp: {
    call: () => ({ body: { code: '123456' } }),
    answers: 409,
    inherits: CHANGES_SIGN_IN,
  },
  endTotp: { call: nothing, answers: 404, inherits: CHANGES_SIGN_IN },
  renewRecoveryCodes: { call: nothing, inherits: CHANGES_SIGN_IN },
  startPasskey: {
    call: nothing,
    inherits: { ...CHANGES_SIGN_IN, notice: 'exempt: it has no effect until it is added' },
  },
  addPasskey: {
    call: () => ({ body: { name: 'laptop', credential: UNSIGNED } }),
    answers: 422,
    inherits: {
      ...CHANGES_SIGN_IN,
      notice: 'passkey',
      passwordReset: { listed: 'passkeys' },
    },
  },
  listPasskeys: { call: nothing },
  renamePasskey: {
    call: (its) => ({ ...passkey(its, ''), body: { name: 'another' } }),
    inherits: LABELS,
  },
  removePasskey: {
    call: passkey,
    inherits: { ...REVOKES, stepUp: 'always', notice: 'passkey' },
  },
} as const satisfies Partial<Rows>
