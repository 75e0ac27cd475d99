/** Second factors of an account, the second step of signing in, and confirming your identity. */
import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'
import { SECOND_FACTOR_METHODS } from '../vocabulary.ts'
import { Password } from './person.ts'

const TotpCode = Type.String({
  pattern: '^[0-9]{3} ?[0-9]{3}$',
  description: 'The six digits that the authenticator app shows. Each code works once.',
  examples: ['123456'],
})

const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'One of the recovery codes, in upper or lower case, with or without hyphens. Each code works once.',
  examples: ['7QK2MDE-0XW9T4V-HB3ZRE6-5NCA8JY'],
})

const CODES = {
  code: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
} as const

export const SecondFactorSignIn = record(
  'SecondFactorSignIn',
  {
    login_token: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The `login_token` of `POST /api/login`. It works once, for 10 minutes.',
    }),
    ...CODES,
  },
  'Send either `code` or `recovery_code`.',
)
export type SecondFactorSignIn = Static<typeof SecondFactorSignIn>

export const SecondFactors = record(
  'SecondFactors',
  {
    is_on: Type.Boolean({
      description: 'Whether signing in with the password requires a second factor.',
    }),
    methods: Type.Array(Type.Enum(SECOND_FACTOR_METHODS), {
      description: 'The accepted second factors. Signing in requires one of them.',
    }),
    totp_since: nullable(
      Type.String({
        format: 'date-time',
        description:
          'The time when the authenticator app was turned on. Null: the account does not have one.',
      }),
    ),
    passkeys: Type.Integer({ description: 'The number of passkeys of the account.' }),
    recovery_codes_left: Type.Integer({ description: 'The number of unused recovery codes.' }),
  },
  'The second factors of an account.',
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpSetup = record(
  'TotpSetup',
  {
    secret: Type.String({
      description:
        'The secret to type into the authenticator app (base 32). It is shown only once.',
    }),
    otpauth_uri: Type.String({ description: 'The URI that the QR code contains.' }),
    qr_svg: Type.String({ description: 'The QR code as an SVG image.' }),
    qr_rows: Type.Array(Type.String({ pattern: '^[01]+$' }), {
      description: 'The QR code with its margin, one text for each row. `1` is dark.',
    }),
  },
  'The secret of a new authenticator app. The app is not required until its first code was confirmed.',
)
export type TotpSetup = Static<typeof TotpSetup>

export const TotpConfirmation = record('TotpConfirmation', { code: TotpCode })
export type TotpConfirmation = Static<typeof TotpConfirmation>

export const RecoveryCodes = record(
  'RecoveryCodes',
  {
    recovery_codes: nullable(
      Type.Array(Type.String(), {
        description:
          'Ten codes, which are shown only once. Null if the account already has codes: they keep working.',
      }),
    ),
  },
  'Recovery codes, for signing in after the loss of the second factor. Print them, or keep them with your passwords.',
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Confirmation = record(
  'Confirmation',
  { password: Type.Optional(Password), ...CODES },
  'Send `code` or `recovery_code` if the account has a second factor, else `password`.',
)
export type Confirmation = Static<typeof Confirmation>

export const Confirmed = record(
  'Confirmed',
  {
    token: Type.String({
      description:
        'The new token of the session. The former token works for 30 more seconds, without the new confirmation. It is the word `session` if a cookie carries the session.',
    }),
    confirmed_until: Time,
  },
  'A session that can make calls with `step-up-required` until `confirmed_until`.',
)
export type Confirmed = Static<typeof Confirmed>
