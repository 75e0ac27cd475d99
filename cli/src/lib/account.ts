/** The account of a person as this program shows it. */
import type { components } from '@homing/openapi/client'
import type { Fact } from './output.ts'

type Me = components['schemas']['Me']

export const ACCOUNT_FIELDS = [
  'id',
  'username',
  'email',
  'email_verified',
  'given_name',
  'surname',
  'account_type',
  'plan',
  'created_at',
  'password_changed_at',
  'email_changed_at',
  'limits',
] as const satisfies readonly (keyof Me)[]

export const accountFacts = (me: Me): Fact[] => [
  ['account', me.username],
  ['email', me.email],
  ['first name', me.given_name],
  ['last name', me.surname],
  ['plan', me.plan],
  ['domains', `${me.limits.domain_count} of ${me.limits.domain_limit}`],
  ['ttl', `${me.limits.ttl} s`],
  ['created', me.created_at],
  ['password changed', me.password_changed_at],
  ['email changed', me.email_changed_at],
]
