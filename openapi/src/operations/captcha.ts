/** The CAPTCHA, which prevents programs from creating accounts and guessing passwords. */
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { CaptchaChallenge, type CaptchaChallenge as Challenge } from '../schemas/captcha.ts'
import { CaptchaTerms } from '../schemas/login.ts'

const challenge: Challenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    cost: 2_000,
    expiresAt: 1_778_575_800,
    keyLength: 32,
    keyPrefix: 'a8538272876e2be3bfc0688bcf5702f6',
    keySignature: 'e43d17339c4cef217f7f90d4e36a99ec266d4ffba34fa2cf7ee30260652a1e25',
    nonce: '1f26c036106a7afc7a6275b3c9385dbe',
    salt: '9af84f81e3aa6ad410ee1b4cd9785626',
  },
  signature: 'b23ea293f46c9d19ca81ca147c154f8e48d3e0a54318f80477526882385ae491',
}

export const captcha = {
  getCaptcha: {
    method: 'GET',
    url: '/api/captcha',
    summary: 'Get the CAPTCHA settings',
    description:
      'Registration always requires a CAPTCHA, unless the provider is `none`. Signing in requires one after failed attempts.',
    access: 'public',
    success: {
      status: 200,
      description: 'The CAPTCHA of this service.',
      schema: ref(CaptchaTerms),
      example: { provider: 'altcha', challenge_url: '/api/captcha/challenge' },
    },
  },
  getCaptchaChallenge: {
    method: 'GET',
    url: '/api/captcha/challenge',
    summary: 'Get a CAPTCHA challenge',
    description:
      'For the provider `altcha`. The solution that the widget returns is the `captcha_token`. It works once, for 10 minutes.',
    access: 'public',
    success: {
      status: 200,
      description: 'A new challenge.',
      schema: ref(CaptchaChallenge),
      example: challenge,
    },
    problems: ['not-found'],
  },
} as const satisfies Slice
