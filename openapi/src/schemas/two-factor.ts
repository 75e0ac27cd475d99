/** Second factors of an account, the second step of signing in, and proving once more who one is. */
import { Type, type Static } from 'typebox'
import { nullable, record, Time } from '../schema.ts'
import { SECOND_FACTOR_METHODS } from '../vocabulary.ts'
import { Password } from './person.ts'

const TotpCode = Type.String({
  pattern: '^[0-9]{3} ?[0-9]{3}$',
  description: 'The six digits that the authenticator app shows. Each is taken once.',
  examples: ['123456'],
})

const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'One of the recovery codes, in any case and with or without hyphens. Each is good once.',
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
      description: 'What `POST /api/login` gave. It is good once, for 10 minutes.',
    }),
    ...CODES,
  },
  'Either `code` or `recovery_code`.',
)
export type SecondFactorSignIn = Static<typeof SecondFactorSignIn>

export const SecondFactors = record(
  'SecondFactors',
  {
    is_on: Type.Boolean({ description: 'Whether signing in takes more than the password.' }),
    methods: Type.Array(Type.Enum(SECOND_FACTOR_METHODS), {
      description: 'What signing in takes one of.',
    }),
    totp_since: nullable(
      Type.String({
        format: 'date-time',
        description: 'Since when codes of an authenticator app are asked for; null: they are not.',
      }),
    ),
    passkeys: Type.Integer({ description: 'How many passkeys the account has.' }),
    recovery_codes_left: Type.Integer({ description: 'Recovery codes that can still be used.' }),
  },
  'What signing in to the account takes.',
)
export type SecondFactors = Static<typeof SecondFactors>

export const TotpSetup = record(
  'TotpSetup',
  {
    secret: Type.String({
      description: 'For typing into the authenticator app (base 32). It is shown this once.',
    }),
    otpauth_uri: Type.String({ description: 'The same as the app reads it from the QR code.' }),
    qr_svg: Type.String({ description: 'The QR code as an SVG picture.' }),
    qr_rows: Type.Array(Type.String({ pattern: '^[01]+$' }), {
      description: 'The QR code with its margin, a text a row: `1` is dark.',
    }),
  },
  'An authenticator app that is asked for nowhere before its first code was right.',
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
          'Ten codes, shown this once. Null where the account has codes already: those stay good.',
      }),
    ),
  },
  'For whoever loses the second factor: to print, or to keep with the passwords.',
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const Confirmation = record(
  'Confirmation',
  { password: Type.Optional(Password), ...CODES },
  'What the account is signed in with: `code` or `recovery_code` where it has a second factor, `password` where it has none.',
)
export type Confirmation = Static<typeof Confirmation>

export const Confirmed = record(
  'Confirmed',
  {
    token: Type.String({
      description:
        'The session’s new token; the one before it is good for 30 seconds more, without the new proof. The word `session` when a cookie carries it.',
    }),
    confirmed_until: Time,
  },
  'The session is trusted with what is dangerous for a while.',
)
export type Confirmed = Static<typeof Confirmed>
