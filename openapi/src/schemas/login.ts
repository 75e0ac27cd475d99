/** The responses of signing in: a session, or the next step. */
import { Type, type Static } from 'typebox'
import { oneOf, record, ref, Time } from '../schema.ts'
import { CAPTCHA_PROVIDERS, SECOND_FACTOR_METHODS } from '../vocabulary.ts'
import { SignedIn } from './accounts.ts'

export const CaptchaTerms = record(
  'CaptchaTerms',
  {
    provider: Type.Enum(CAPTCHA_PROVIDERS),
    site_key: Type.Optional(
      Type.String({
        description:
          'The site key for the widget of `turnstile` and `hcaptcha`. The action for Turnstile is `register` or `login`.',
      }),
    ),
    challenge_url: Type.Optional(
      Type.String({
        description: 'The URL of the challenges of `altcha`, relative to the origin of the API.',
        examples: ['/api/captcha/challenge'],
      }),
    ),
  },
  'The CAPTCHA that this service uses.',
)
export type CaptchaTerms = Static<typeof CaptchaTerms>

export const CaptchaRequired = record(
  'CaptchaRequired',
  {
    requires_captcha: Type.Literal(true),
    captcha: ref(CaptchaTerms),
  },
  'You are not signed in. Solve the CAPTCHA and send the same request again with `captcha_token`.',
)
export type CaptchaRequired = Static<typeof CaptchaRequired>

export const SecondFactorRequired = record(
  'SecondFactorRequired',
  {
    requires_second_factor: Type.Literal(true),
    login_token: Type.String({ description: 'Replaces the password in the next step.' }),
    methods: Type.Array(Type.Enum(SECOND_FACTOR_METHODS), {
      description:
        'The second factors of the account. Any one of them is sufficient. Empty if a password reset revoked the passkeys and there is no recovery code left: an administrator can reset the second factors.',
    }),
    expires_at: Time,
  },
  'You are not signed in yet. The account requires a second factor.',
)
export type SecondFactorRequired = Static<typeof SecondFactorRequired>

export const LoginAnswer = oneOf(
  'LoginAnswer',
  [ref(SignedIn), ref(CaptchaRequired), ref(SecondFactorRequired)],
  'A session (with `token`), or a request for the next step: `requires_captcha` or `requires_second_factor`.',
)
export type LoginAnswer = Static<typeof LoginAnswer>
