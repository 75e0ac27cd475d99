/** What signing in answers: a session, or what is still missing for one. */
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
          'What the widget of `turnstile` and `hcaptcha` is given. The action that Turnstile’s is shown for is `register` or `login`.',
      }),
    ),
    challenge_url: Type.Optional(
      Type.String({
        description: 'Where `altcha` has its challenges, from the API’s own origin.',
        examples: ['/api/captcha/challenge'],
      }),
    ),
  },
  'The CAPTCHA that this service asks for.',
)
export type CaptchaTerms = Static<typeof CaptchaTerms>

export const CaptchaRequired = record(
  'CaptchaRequired',
  {
    requires_captcha: Type.Literal(true),
    captcha: ref(CaptchaTerms),
  },
  'Nobody is signed in: solve the CAPTCHA and send the same again with `captcha_token`.',
)
export type CaptchaRequired = Static<typeof CaptchaRequired>

export const SecondFactorRequired = record(
  'SecondFactorRequired',
  {
    requires_second_factor: Type.Literal(true),
    login_token: Type.String({ description: 'Stands for the password, which was right.' }),
    methods: Type.Array(Type.Enum(SECOND_FACTOR_METHODS), {
      description:
        'What the account has; any of them will do. Empty when passkeys were revoked by a password reset and no recovery code is left: an administrator can reset the second factor.',
    }),
    expires_at: Time,
  },
  'Nobody is signed in yet: the account wants a second factor.',
)
export type SecondFactorRequired = Static<typeof SecondFactorRequired>

export const LoginAnswer = oneOf(
  'LoginAnswer',
  [ref(SignedIn), ref(CaptchaRequired), ref(SecondFactorRequired)],
  'A session (it has `token`), or what is missing for one: `requires_captcha` or `requires_second_factor`.',
)
export type LoginAnswer = Static<typeof LoginAnswer>
