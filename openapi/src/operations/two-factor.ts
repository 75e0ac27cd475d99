/** Two factors: turn them on and off, the second step of signing in, and confirming your identity. */
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import {
  Confirmation,
  Confirmed,
  RecoveryCodes,
  SecondFactors,
  SecondFactorSignIn,
  TotpConfirmation,
  TotpSetup,
} from '../schemas/two-factor.ts'
import { lastStepOfSignIn } from './signed-in.ts'

const codes = ['7QK2MDE-0XW9T4V-HB3ZRE6-5NCA8JY', '…']

export const twoFactor = {
  completeLogin: {
    method: 'POST',
    url: '/api/login/second-factor',
    summary: 'Complete a sign-in with a code',
    description:
      'Call this after `POST /api/login` returned `requires_second_factor`. A wrong code and a used code get the same response. An account has five attempts in five minutes. The `login_token` stays valid after a wrong code.',
    access: 'public',
    body: ref(SecondFactorSignIn),
    bodyExample: { login_token: 'q3mZ…', code: '123456' },
    ...lastStepOfSignIn,
  },
  confirmIdentity: {
    method: 'POST',
    url: '/api/me/confirm',
    summary: 'Confirm your identity',
    description:
      'For 15 minutes, the session can make calls that otherwise return `step-up-required`, as after signing in. An account with a second factor sends a code; any other account sends its password. The session continues with a new token. For calls in progress, the former token works for 30 more seconds, without the new confirmation.',
    access: 'session',
    body: ref(Confirmation),
    bodyExample: { password: 'correct horse battery staple' },
    success: {
      status: 200,
      description: 'The session is confirmed.',
      schema: ref(Confirmed),
      example: { token: 'session', confirmed_until: '2026-05-12T08:45:00.000Z' },
    },
    problems: ['conflict'],
  },
  getSecondFactors: {
    method: 'GET',
    url: '/api/me/second-factors',
    summary: 'Get the second factors of your account',
    access: 'session',
    success: {
      status: 200,
      description: 'The second factors of the account.',
      schema: ref(SecondFactors),
      example: {
        is_on: true,
        methods: ['totp', 'recovery_code'],
        totp_since: '2026-05-12T08:30:00.000Z',
        passkeys: 0,
        recovery_codes_left: 10,
      },
    },
  },
  startTotp: {
    method: 'POST',
    url: '/api/me/totp',
    summary: 'Start adding an authenticator app',
    description:
      'The app is not required until you send a correct code to `POST /api/me/totp/confirm`. Starting again replaces the former secret.',
    access: 'session',
    stepUp: true,
    success: {
      status: 200,
      description: 'The secret for the app.',
      schema: ref(TotpSetup),
      example: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        otpauth_uri:
          'otpauth://totp/Homing:ada?issuer=Homing&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
        qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" …>',
        qr_rows: ['1111111', '1000001'],
      },
    },
    problems: ['conflict'],
  },
  confirmTotp: {
    method: 'POST',
    url: '/api/me/totp/confirm',
    summary: 'Turn the authenticator app on',
    description:
      'Send the first code that the app shows. All other sessions end, update URLs no longer accept the password of the account, and the owner gets a mail.',
    access: 'session',
    stepUp: true,
    body: ref(TotpConfirmation),
    bodyExample: { code: '123456' },
    success: {
      status: 200,
      description: 'The app is required from now on.',
      schema: ref(RecoveryCodes),
      example: { recovery_codes: codes },
    },
    problems: ['conflict'],
  },
  endTotp: {
    method: 'DELETE',
    url: '/api/me/totp',
    summary: 'Turn the authenticator app off',
    description:
      'All other sessions end, and the owner gets a mail. If the app was the last second factor, the recovery codes are removed too.',
    access: 'session',
    stepUp: true,
    success: { status: 204, description: 'The authenticator app is removed.' },
    problems: ['not-found'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    url: '/api/me/recovery-codes',
    summary: 'Create new recovery codes',
    description: 'The old codes stop working at once. The owner gets a mail.',
    access: 'session',
    stepUp: true,
    success: {
      status: 200,
      description: 'The new codes.',
      schema: ref(RecoveryCodes),
      example: { recovery_codes: codes },
    },
    problems: ['conflict'],
  },
} as const satisfies Slice
