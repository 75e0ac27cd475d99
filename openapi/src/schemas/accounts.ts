import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
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
  description: 'What a solved CAPTCHA gave. Not looked at while no CAPTCHA is asked for.',
})

export const NewAccount = record('NewAccount', {
  username: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,30}[A-Za-z0-9]$',
    description:
      '3 to 32 letters (a-z), digits, dots, underscores and hyphens; a letter or digit at both ends. Upper and lower case are one name.',
    examples: ['ada'],
  }),
  email: Email,
  password: NewPassword,
  given_name: Type.Optional(nullable(PersonName)),
  surname: Type.Optional(nullable(PersonName)),
  terms: Type.Optional(Type.Boolean({ description: 'Whether the terms were accepted.' })),
  captcha_token: Type.Optional(CaptchaToken),
})
export type NewAccount = Static<typeof NewAccount>

export const RegisteredAccount = record('RegisteredAccount', {
  message: Type.String(),
  username: Type.String(),
  email: Type.String(),
})
export type RegisteredAccount = Static<typeof RegisteredAccount>

export const Message = record('Message', {
  message: Type.String({ description: 'Written for the person who reads it.' }),
})
export type Message = Static<typeof Message>

export const LinkToken = record('LinkToken', {
  token: Type.String({ minLength: 1, maxLength: 256, description: 'The token of the link.' }),
})
export type LinkToken = Static<typeof LinkToken>

const Count = Type.Integer({ minimum: 0 })

export const WorkingCredentials = record(
  'WorkingCredentials',
  {
    api_keys: Type.Integer({
      minimum: 0,
      description:
        'API keys that have not expired. Keys of a plan without API keys count, because they work again with another plan.',
    }),
    update_tokens: Count,
    trust_policies: Type.Integer({ minimum: 0, description: 'Pipelines that get keys.' }),
    passkeys: Count,
  },
  'How many credentials other than the password still work.',
)
export type WorkingCredentials = Static<typeof WorkingCredentials>

export const PasswordSet = record('PasswordSet', {
  message: Type.String({ description: 'Written for the person who reads it.' }),
  working_credentials: ref(WorkingCredentials),
})
export type PasswordSet = Static<typeof PasswordSet>

export const PasswordReset = record('PasswordReset', {
  token: Type.String({ minLength: 1, maxLength: 256, description: 'The token of the link.' }),
  new_password: Type.Optional(NewPassword),
  password: Type.Optional(
    Type.String({
      ...NewPassword,
      description: 'The same as `new_password`; one of the two is needed.',
    }),
  ),
  revoke_credentials: RevokeCredentials,
})
export type PasswordReset = Static<typeof PasswordReset>

export const ResetSubject = record('ResetSubject', {
  username: Type.String({ description: 'Whose password the link sets.' }),
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
      'Send it as `Authorization: Bearer`. The word `session` when a cookie carries the session instead.',
  }),
  user_id: Id,
  role: AccountType,
  session_created: Time,
  ...identity,
})
export type SignedIn = Static<typeof SignedIn>

export const Me = record('Me', {
  ...identity,
  email_verified: Type.Boolean(),
  created_at: Time,
  limits: Type.Object({
    domain_limit: Type.Integer({ description: 'Names that the plan serves.' }),
    domain_count: Type.Integer({ description: 'Names that the account has, wildcards left out.' }),
    ttl: Type.Integer({ description: 'Seconds for which resolvers may keep an address.' }),
    abilities: Type.Array(Type.String(), { description: 'What the plan allows besides names.' }),
  }),
})
export type Me = Static<typeof Me>
