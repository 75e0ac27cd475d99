import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { SignInMethodOrNull } from '../sign-in-methods.ts'
import { Email, NewPassword, Password, PersonName, RevokeCredentials } from './person.ts'

export const ProfileChange = record(
  'ProfileChange',
  {
    given_name: Type.Optional(nullable(PersonName)),
    surname: Type.Optional(nullable(PersonName)),
  },
  'Absent fields are not changed.',
)
export type ProfileChange = Static<typeof ProfileChange>

export const PasswordChange = record('PasswordChange', {
  current_password: Password,
  new_password: NewPassword,
  revoke_credentials: RevokeCredentials,
})
export type PasswordChange = Static<typeof PasswordChange>

export const EmailChange = record('EmailChange', {
  email: Email,
  password: Password,
})
export type EmailChange = Static<typeof EmailChange>

export const EmailConfirmation = record('EmailConfirmation', {
  message: Type.String({ description: 'A text for the person.' }),
  is_changed: Type.Boolean({
    description: 'Whether both addresses are confirmed and the account has the new one.',
  }),
})
export type EmailConfirmation = Static<typeof EmailConfirmation>

export const AccountDeletion = record('AccountDeletion', { password: Password })
export type AccountDeletion = Static<typeof AccountDeletion>

export const DueDeletion = record('DueDeletion', {
  message: Type.String({ description: 'A text for the person.' }),
  deletion_due_at: Type.String({
    ...Time,
    description: 'The time of the deletion of the account.',
  }),
})
export type DueDeletion = Static<typeof DueDeletion>

const Country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'The country of the IP address (ISO 3166-1), if known.',
})

export const Session = record('Session', {
  id: Id,
  created_at: Time,
  last_used_at: Type.String({ ...Time, description: 'Accurate to the hour.' }),
  expires_at: Type.String({ ...Time, description: 'When the session ends if it is not used.' }),
  ip: nullable(Type.String({ description: 'The IP address of the sign-in.' })),
  cc: nullable(Country),
  client: nullable(Type.String({ description: 'The `User-Agent` of the sign-in.' })),
  is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
})
export type Session = Static<typeof Session>

const notifications = {
  address_changed: Type.Boolean({
    description:
      'A mail when the addresses of a domain changed: at most one per domain and hour, and one mail for all domains that changed together.',
  }),
  not_updated_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 90,
      description: 'A mail when a domain got no update for this many days. Null: no such mail.',
    }),
  ),
  key_expiring: Type.Boolean({
    description:
      'A mail 7 days before an API key expires, or at half of its lifetime if that is shorter.',
  }),
}

export const NotificationSettings = record(
  'NotificationSettings',
  notifications,
  'The mails that the owner of an account wants. Mails about security are always sent.',
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationChange = record(
  'NotificationChange',
  {
    address_changed: Type.Optional(notifications.address_changed),
    not_updated_days: Type.Optional(notifications.not_updated_days),
    key_expiring: Type.Optional(notifications.key_expiring),
  },
  'Absent fields are not changed.',
)
export type NotificationChange = Static<typeof NotificationChange>

export const LoginAttempt = record('LoginAttempt', {
  time: Time,
  ip: Type.String(),
  cc: nullable(Country),
  success: Type.Boolean(),
  method: SignInMethodOrNull,
})
export type LoginAttempt = Static<typeof LoginAttempt>
