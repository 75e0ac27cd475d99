import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { TERMS_VERSION, USERNAME_PATTERN } from '../vocabulary.ts'
import {
  AccountType,
  Email,
  NewPassword,
  Password,
  PersonName,
  RevokeCredentials,
} from './person.ts'

const CaptchaToken = Type.String({
  maxLength: 8192,
  description: 'The token of the solved CAPTCHA. Ignored if no CAPTCHA is required.',
})

export const NewAccount = record('NewAccount', {
  username: Type.String({
    pattern: USERNAME_PATTERN,
    description:
      '3 to 32 letters (a-z), digits, dots, underscores and hyphens. It must begin and end with a letter or digit. Upper and lower case are the same.',
    examples: ['ada'],
  }),
  email: Email,
  password: NewPassword,
  given_name: Type.Optional(nullable(PersonName)),
  surname: Type.Optional(nullable(PersonName)),
  terms: Type.Optional(Type.Boolean({ description: 'Whether the person accepted the terms.' })),
  terms_version: Type.Optional(
    Type.String({
      maxLength: 32,
      description:
        'The version of the terms that the person read and accepted. Only the current version is accepted. Absent with `terms: true`: the current version.',
      examples: [TERMS_VERSION],
    }),
  ),
  captcha_token: Type.Optional(CaptchaToken),
})
export type NewAccount = Static<typeof NewAccount>

export const UsernameAvailability = record('UsernameAvailability', {
  available: Type.Boolean(),
  reason: Type.Unsafe<'taken' | 'invalid' | null>({
    type: ['string', 'null'],
    enum: ['taken', 'invalid', null],
    description: '`taken`: in use or reserved. `invalid`: not a username. Null: available.',
  }),
})
export type UsernameAvailability = Static<typeof UsernameAvailability>

export const RegistrationStatus = record('RegistrationStatus', {
  verified: Type.Boolean({ description: 'Whether the address of the account is verified.' }),
})
export type RegistrationStatus = Static<typeof RegistrationStatus>

export const RegisteredAccount = record('RegisteredAccount', {
  message: Type.String(),
  username: Type.String(),
  email: Type.String(),
})
export type RegisteredAccount = Static<typeof RegisteredAccount>

export const Message = record('Message', {
  message: Type.String({ description: 'A text for the person.' }),
})
export type Message = Static<typeof Message>

export const LinkToken = record('LinkToken', {
  token: Type.String({ minLength: 1, maxLength: 256, description: 'The token in the link.' }),
})
export type LinkToken = Static<typeof LinkToken>

const Count = Type.Integer({ minimum: 0 })

export const WorkingCredentials = record(
  'WorkingCredentials',
  {
    api_keys: Type.Integer({
      minimum: 0,
      description:
        'API keys that have not expired. The number includes keys of an account whose plan has no API keys, because they work again with another plan.',
    }),
    update_tokens: Count,
    trust_policies: Type.Integer({ minimum: 0, description: 'Trust policies of pipelines.' }),
    passkeys: Count,
  },
  'How many credentials other than the password still work.',
)
export type WorkingCredentials = Static<typeof WorkingCredentials>

export const PasswordSet = record('PasswordSet', {
  message: Type.String({ description: 'A text for the person.' }),
  working_credentials: ref(WorkingCredentials),
})
export type PasswordSet = Static<typeof PasswordSet>

export const PasswordReset = record('PasswordReset', {
  token: Type.String({ minLength: 1, maxLength: 256, description: 'The token in the link.' }),
  new_password: Type.Optional(NewPassword),
  password: Type.Optional(
    Type.String({
      ...NewPassword,
      description: 'The same as `new_password`. Send one of the two.',
    }),
  ),
  revoke_credentials: RevokeCredentials,
})
export type PasswordReset = Static<typeof PasswordReset>

export const ResetSubject = record('ResetSubject', {
  username: Type.String({
    description: 'The username of the account whose password the link sets.',
  }),
  working_credentials: ref(WorkingCredentials),
})
export type ResetSubject = Static<typeof ResetSubject>

export const EmailAddress = record('EmailAddress', { email: Email })
export type EmailAddress = Static<typeof EmailAddress>

export const Credentials = record('Credentials', {
  username_or_email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada'] }),
  password: Password,
  captcha_token: Type.Optional(CaptchaToken),
})
export type Credentials = Static<typeof Credentials>

const identity = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  account_type: AccountType,
  plan: AccountType,
  given_name: nullable(Type.String()),
  surname: nullable(Type.String()),
}

export const SignedIn = record('SignedIn', {
  token: Type.String({
    description:
      'Send it as `Authorization: Bearer`. It is the word `session` if a cookie carries the session instead.',
  }),
  user_id: Id,
  role: AccountType,
  session_created: Time,
  deletion_cancelled: Type.Optional(
    Type.Boolean({
      description: 'True if the account was to be deleted, and this sign-in cancelled that.',
    }),
  ),
  ...identity,
})
export type SignedIn = Static<typeof SignedIn>

export const Me = record('Me', {
  ...identity,
  email_verified: Type.Boolean(),
  created_at: Time,
  password_changed_at: nullable({
    ...Time,
    description: 'When the password was changed last. Null: no change is recorded.',
  }),
  email_changed_at: nullable({
    ...Time,
    description: 'When the email address was changed last. Null: no change is recorded.',
  }),
  limits: Type.Object({
    domain_limit: Type.Integer({ description: 'The number of domains that the plan includes.' }),
    domain_count: Type.Integer({
      description: 'The number of domains of the account, without wildcards.',
    }),
    ttl: Type.Integer({ description: 'The TTL of the domains in seconds.' }),
    abilities: Type.Array(Type.String(), { description: 'The features that the plan includes.' }),
  }),
})
export type Me = Static<typeof Me>
