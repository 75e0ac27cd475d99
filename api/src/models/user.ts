import type { Plan as PlanBody } from '@homing/openapi'
import { raw } from 'objection'
import {
  bigint,
  boolean,
  bytea,
  inet,
  integer,
  nullable,
  smallint,
  text,
  textOf,
  timestamptz,
} from './columns.ts'
import { Plan } from './plan.ts'
import { belongsTo, columnOf, table, type TableQuery } from './table.ts'

/** The next `credential_version`, which invalidates cached credentials. */
export const NEXT_CREDENTIAL_VERSION = raw('credential_version + 1')

const DOMAIN_COUNT = raw(
  '(select count(*)::int from domains d where d.user_id = users.id and not d.is_wildcard) as domain_count',
)

const COMPLIMENTARY_PLAN = raw(
  `(select g.plan from plan_grants g where g.user_id = users.id and g.source = 'complimentary') as complimentary_plan`,
)

/** Accounts. */
export class User extends table('users', {
  id: bigint,
  username: text,
  email: text,
  password_hash: text,
  given_name: nullable(text),
  surname: nullable(text),
  account_type: textOf<PlanBody['id']>(),
  /** The flags and the grants from which `account_type` is derived; `feed/account-grants.ts` writes all of them. */
  is_administrator: boolean,
  is_disabled: boolean,
  enabled: boolean,
  /** Null: the address is not verified. */
  email_verified_at: nullable(timestamptz),
  /**
   * Increased by everything that must invalidate cached credentials: password, ban, disabling, administrator role on
   * or off.
   */
  credential_version: integer,
  created_at: timestamptz,
  /** Countries are two letters, as in ISO 3166-1. */
  account_create_cc: nullable(text),
  last_login: nullable(timestamptz),
  last_login_ip: nullable(inet),
  last_login_cc: nullable(text),
  /** When the account is deleted, unless its owner signs in before. */
  deletion_due_at: nullable(timestamptz),
  has_second_factor: boolean,
  /** The id of the account for authenticators. */
  passkey_handle: nullable(bytea),
  /** SHA-256 of the secret in the registering browser's cookie. Null once the account was signed in to. */
  registration_digest: nullable(bytea),
  /** Which mails the owner wants, besides those about security. */
  notify_address_changed: boolean,
  notify_not_updated_days: nullable(smallint),
  notify_key_expiring: boolean,
  /** The version of the terms that the owner accepted, and when. */
  terms_version: nullable(text),
  terms_accepted_at: nullable(timestamptz),
  /** Null: never, or before this was recorded. */
  password_changed_at: nullable(timestamptz),
  email_changed_at: nullable(timestamptz),
  /** An administrator paused all monitors of the account. */
  monitoring_paused_at: nullable(timestamptz),
  monitoring_pause_reason: nullable(text),
}) {
  declare plan?: Plan
  static override readonly relationMappings = { plan: belongsTo(Plan, 'users.account_type') }

  static override readonly modifiers = {
    /** Accounts whose address is verified. */
    verified(query: TableQuery<User>): void {
      query.whereNotNull(columnOf(query, 'email_verified_at'))
    },

    unverified(query: TableQuery<User>): void {
      query.whereNull(columnOf(query, 'email_verified_at'))
    },

    /** Accounts that can sign in: neither banned nor on the plan `disabled`. The opposite of `isBlocked` in plans.ts. */
    notBlocked(query: TableQuery<User>): void {
      query.where(columnOf(query, 'enabled'), true)
      query.whereNot(columnOf(query, 'account_type'), 'disabled')
    },

    /** Accounts whose deletion was not requested, or can still be cancelled at a time. */
    notGone(query: TableQuery<User>, at: Date): void {
      const due = columnOf(query, 'deletion_due_at')
      query.where((either) => void either.whereNull(due).orWhere(due, '>', at))
    },

    /**
     * Accounts with this address, verified or not. Several accounts can claim an address until it is
     * verified.
     */
    withEmail(query: TableQuery<User>, email: string): void {
      query.whereRaw('lower(??) = lower(?)', [columnOf(query, 'email'), email])
    },

    /** Adds `domain_count`: the account's number of domains, without wildcards. */
    withDomainCount(query: TableQuery<User>): void {
      query.select(DOMAIN_COUNT)
    },

    /** Adds `complimentary_plan`: the plan that an administrator gave, even if a larger one is paid for; null without one. */
    withComplimentaryPlan(query: TableQuery<User>): void {
      query.select(COMPLIMENTARY_PLAN)
    },
  }
}
