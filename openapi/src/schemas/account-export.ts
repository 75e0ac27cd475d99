/** The archive of all data about a person. */
import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { exportedAccess } from './exported-access.ts'
import { exportedNames } from './exported-names.ts'
import { exportedPayments } from './exported-payments.ts'
import { maybeText, maybeTime, text, yesOrNo } from './exported-rows.ts'
import { AccountType } from './person.ts'
import { Plan } from './plans.ts'

const account = Type.Object(
  {
    id: Id,
    username: text,
    email: text,
    email_verified_at: maybeTime,
    given_name: maybeText,
    surname: maybeText,
    account_type: AccountType,
    enabled: yesOrNo,
    created_at: Time,
    account_create_cc: maybeText,
    last_login: maybeTime,
    last_login_ip: maybeText,
    last_login_cc: maybeText,
    deletion_due_at: nullable({
      ...Time,
      description: 'The time of the deletion of the account. Null: no deletion was requested.',
    }),
    notify_address_changed: yesOrNo,
    notify_not_updated_days: nullable(Type.Integer()),
    notify_key_expiring: yesOrNo,
    terms_version: maybeText,
    terms_accepted_at: maybeTime,
    password_changed_at: maybeTime,
    email_changed_at: maybeTime,
    monitoring_paused_at: maybeTime,
    monitoring_pause_reason: maybeText,
  },
  { additionalProperties: false },
)

export const AccountExport = record(
  'AccountExport',
  {
    version: Type.Literal(1, {
      description:
        'The version of this format. It increases when a field is removed or changes its meaning.',
    }),
    exported_at: Time,
    service: Type.Object({ name: text, url: text }, { additionalProperties: false }),
    account,
    plan: ref(Plan),
    ...exportedNames,
    ...exportedAccess,
    ...exportedPayments,
    is_complete: Type.Literal(true, {
      description: 'The last field. An archive without it is incomplete.',
    }),
  },
  'All data about a person.',
)
export type AccountExport = Static<typeof AccountExport>
