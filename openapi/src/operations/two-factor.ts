/** Two factors: turning them on and off, the second step of signing in, and proving once more who one is. */
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
    summary: 'Sign in, second step: a code',
    description:
      'After `POST /api/login` answered `requires_second_factor`. A code that is wrong and one that was used are answered the same; five tries of an account are taken in five minutes. A wrong code leaves the `login_token` good.',
    access: 'public',
    body: ref(SecondFactorSignIn),
    bodyExample: { login_token: 'q3mZ…', code: '123456' },
    ...lastStepOfSignIn,
  },
  confirmIdentity: {
    method: 'POST',
    url: '/api/me/confirm',
    summary: 'Prove once more who you are',
    description:
      'Opens what answers `step-up-required` for 15 minutes, as signing in does. An account with a second factor gives a code, one without its password. The session goes on under a new token; the one before is good for 30 seconds more, without the new proof, for calls under way.',
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
    summary: 'What signing in to your account takes',
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
    summary: 'Begin to add an authenticator app',
    description:
      'Nothing is asked for before `POST /api/me/totp/confirm` had a right code. Beginning again replaces what was begun.',
    access: 'session',
    stepUp: true,
    success: {
      status: 200,
      description: 'What the app needs.',
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
      'With the first code that it shows. All other sessions end, the update URLs take the password of the account no more, and the owner is told by mail.',
    access: 'session',
    stepUp: true,
    body: ref(TotpConfirmation),
    bodyExample: { code: '123456' },
    success: {
      status: 200,
      description: 'The app is asked for from now on.',
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
      'All other sessions end, and the owner is told by mail. With the last second factor the recovery codes go.',
    access: 'session',
    stepUp: true,
    success: { status: 204, description: 'There is no authenticator app any more.' },
    problems: ['not-found'],
  },
  renewRecoveryCodes: {
    method: 'POST',
    url: '/api/me/recovery-codes',
    summary: 'Make new recovery codes',
    description: 'The old ones are worth nothing from this moment on. The owner is told by mail.',
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
