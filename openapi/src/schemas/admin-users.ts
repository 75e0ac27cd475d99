import { Type, type Static } from 'typebox'
import { Id, nullable, record, Time } from '../schema.ts'
import { AccountType, Email, PersonName } from './person.ts'

export const AdminUser = record(
  'AdminUser',
  {
    id: Id,
    username: Type.String(),
    email: Type.String(),
    email_verified: Type.Boolean(),
    given_name: nullable(Type.String()),
    surname: nullable(Type.String()),
    plan: AccountType,
    account_type: AccountType,
    enabled: Type.Boolean({
      description: 'Whether the user can sign in and DNS serves the domains of the account.',
    }),
    domain_count: Type.Integer({
      description: 'The number of domains of the account, without wildcards.',
    }),
    twofa_secret: nullable(
      Type.String({
        pattern: '^set$',
        description:
          'Whether the account has a second factor: `set`, or null. The secret itself is never returned.',
      }),
    ),
    created_at: Time,
    last_login: nullable(Time),
    last_login_ip: nullable(Type.String()),
    last_login_cc: nullable(Type.String({ description: 'A country code (ISO 3166-1).' })),
    account_create_cc: nullable(Type.String({ description: 'A country code (ISO 3166-1).' })),
    monitoring_paused_at: nullable({
      ...Time,
      description:
        'Since when an administrator has paused all monitors of the account. Null: not paused.',
    }),
    monitoring_pause_reason: nullable(
      Type.String({ description: 'Why they are paused. The owner reads it.' }),
    ),
    version: Type.String({
      description:
        'The ETag of the account. It differs when a field that administrators can change, or the complimentary plan, has another value. Sign-ins do not change it.',
    }),
  },
  'An account, for administrators.',
)
export type AdminUser = Static<typeof AdminUser>

export const AdminUserChange = record(
  'AdminUserChange',
  {
    account_type: Type.Optional(AccountType),
    enabled: Type.Optional(Type.Boolean()),
    email: Type.Optional(Email),
    given_name: Type.Optional(nullable(PersonName)),
    surname: Type.Optional(nullable(PersonName)),
  },
  'Absent fields are not changed.',
)
export type AdminUserChange = Static<typeof AdminUserChange>
