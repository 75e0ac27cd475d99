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
  'What is not mentioned stays.',
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
  message: Type.String({ description: 'Written for the person who reads it.' }),
  is_changed: Type.Boolean({
    description: 'Whether both addresses have confirmed, and the new one is the account’s.',
  }),
})
export type EmailConfirmation = Static<typeof EmailConfirmation>

export const AccountDeletion = record('AccountDeletion', { password: Password })
export type AccountDeletion = Static<typeof AccountDeletion>

export const DueDeletion = record('DueDeletion', {
  message: Type.String({ description: 'Written for the person who reads it.' }),
  deletion_due_at: Type.String({ ...Time, description: 'From then on the account is gone.' }),
})
export type DueDeletion = Static<typeof DueDeletion>

export const Session = record('Session', {
  id: Id,
  created_at: Time,
  last_used_at: Type.String({ ...Time, description: 'To the hour.' }),
  expires_at: Type.String({ ...Time, description: 'When it ends if nobody uses it.' }),
  ip: nullable(Type.String({ description: 'From where it was begun.' })),
  client: nullable(Type.String({ description: 'With what it was begun, as that calls itself.' })),
  is_current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
})
export type Session = Static<typeof Session>

export const LoginAttempt = record('LoginAttempt', {
  time: Time,
  ip: Type.String(),
  cc: nullable(
    Type.String({
      pattern: '^[A-Z]{2}$',
      description: 'The country of the address (ISO 3166-1), if it is known.',
    }),
  ),
  success: Type.Boolean(),
  method: SignInMethodOrNull,
})
export type LoginAttempt = Static<typeof LoginAttempt>
