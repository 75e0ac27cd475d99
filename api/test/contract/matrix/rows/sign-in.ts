/** Rows of operations before sign-in, and of those that prove the identity. */
import { PASSWORD } from '../../../support/api-world.ts'
import { ASKS, BY_LINK, SIGNS_IN } from '../inherited-rules.ts'
import type { Rows } from '../row.ts'
import { NO_TOKEN, nothing, UNSIGNED } from '../usual-calls.ts'

export const SIGN_IN_ROWS = {
  getHealth: { call: nothing },
  getOperator: { call: nothing },
  checkAddress: { call: nothing },
  nicCheckAddress: { call: nothing },
  nicCheckAddressPage: { call: nothing },
  listOfferedPlans: { call: nothing },
  listAvailableZones: { call: nothing },
  getCaptcha: { call: nothing },
  // The service of tests requires no CAPTCHA.
  getCaptchaChallenge: { call: nothing, answers: 404 },

  register: {
    call: (_, nonce) => ({
      body: {
        username: `fresh${nonce}`,
        email: `fresh${nonce}@mail.test`,
        password: PASSWORD,
        terms: true,
      },
    }),
    writes: true,
    inherits: BY_LINK,
    probes: {
      'an address that is taken': {
        call: (its, nonce) => ({
          body: { username: `fresher${nonce}`, email: its.email, password: PASSWORD, terms: true },
        }),
        writes: true,
      },
    },
  },
  getRegistrationStatus: { call: nothing },
  checkUsername: {
    call: (_, nonce) => ({ params: { username: `fresh${nonce}` } }),
  },
  checkDomain: { call: (_, nonce) => ({ query: { label: `fresh${nonce}` } }) },
  verifyEmailByLink: { call: () => ({ params: { token: NO_TOKEN } }), answers: 400 },
  verifyEmail: { call: () => ({ body: { token: NO_TOKEN } }), answers: 400, inherits: BY_LINK },
  resendVerification: {
    call: (its) => ({ body: { email: its.email } }),
    writes: true,
    inherits: BY_LINK,
  },
  forgotPassword: {
    call: (its) => ({ body: { email: its.email } }),
    writes: true,
    inherits: { ...BY_LINK, passwordReset: 'ends' },
  },
  verifyResetToken: { call: () => ({ params: { token: NO_TOKEN } }), answers: 400 },
  resetPassword: {
    call: () => ({ body: { token: NO_TOKEN, new_password: PASSWORD } }),
    answers: 400,
    inherits: {
      ...BY_LINK,
      notice: 'password-changed',
      passwordReset: 'exempt: it is the reset',
    },
  },
  login: {
    call: (its) => ({ body: { username_or_email: its.username, password: 'a wrong one' } }),
    answers: 401,
    writes: true,
    inherits: SIGNS_IN,
    probes: {
      'by address': {
        call: (its) => ({ body: { username_or_email: its.email, password: 'a wrong one' } }),
        writes: true,
      },
    },
  },
  completeLogin: {
    call: () => ({ body: { login_token: NO_TOKEN, code: '123456' } }),
    answers: 401,
    inherits: SIGNS_IN,
  },
  startPasskeySignIn: { call: () => ({ body: {} }), writes: true, inherits: SIGNS_IN },
  signInByPasskey: {
    call: () => ({ body: { credential: UNSIGNED } }),
    answers: 401,
    inherits: SIGNS_IN,
  },
  exchangeToken: {
    call: (its) => ({ params: { id: its.policyId }, body: { token: 'eyJh.bGci.OiJI' } }),
    answers: 401,
    inherits: {
      ...SIGNS_IN,
      notice: 'exempt: the owner got a mail when the pipeline was trusted',
      passwordReset: 'exempt: the key expires within 15 minutes, and its trust policy is listed',
    },
  },

  // Every account here has a passkey, so a password is not enough.
  confirmIdentity: { call: () => ({ body: { password: PASSWORD } }), answers: 422, inherits: ASKS },
  startPasskeyConfirmation: { call: nothing, inherits: ASKS },
  confirmByPasskey: {
    call: () => ({ body: { credential: UNSIGNED } }),
    answers: 422,
    inherits: ASKS,
  },
} as const satisfies Partial<Rows>
