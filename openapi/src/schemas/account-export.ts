/** The archive of all data about a person. */
import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { SignInMethodOrNull } from '../sign-in-methods.ts'
import type { KeyScope } from './api-keys.ts'
import { exportedMonitors } from './exported-monitors.ts'
import { exportedPayments } from './exported-payments.ts'
import { maybeText, maybeTime, rows, text, yesOrNo } from './exported-rows.ts'
import { AccountType } from './person.ts'
import { Plan } from './plans.ts'

const scope = Type.Unsafe<KeyScope | null>({
  anyOf: [{ $ref: 'KeyScope#' }, { type: 'null' }],
  description: 'Null: everything that an API key can access.',
})
/** What a deleted domain takes along. */
const kept = (description: string) =>
  nullable(Type.Object({}, { additionalProperties: true, description }))
const lastUse = {
  last_used_at: maybeTime,
  last_used_ip: maybeText,
  last_client: maybeText,
}

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

const names = {
  domains: rows({
    id: Id,
    fqdn: text,
    zone: text,
    is_wildcard: yesOrNo,
    base_id: nullable(Id),
    rrtype: text,
    record_ipv4: maybeText,
    record_ipv6: maybeText,
    ttl: Type.Integer(),
    is_active: yesOrNo,
    locked: yesOrNo,
    paused: yesOrNo,
    over_limit: yesOrNo,
    owner_blocked: yesOrNo,
    note: maybeText,
    tags: Type.Array(text),
    version: Type.Integer(),
    last_update_at: maybeTime,
    last_update_client: maybeText,
    created_at: Time,
    created_cc: maybeText,
  }),
  deleted_domains: rows(
    {
      id: Id,
      fqdn: text,
      zone: text,
      base_id: nullable(Id),
      rrtype: text,
      record_ipv4: maybeText,
      record_ipv6: maybeText,
      paused: yesOrNo,
      note: maybeText,
      tags: Type.Array(text),
      version: Type.Integer(),
      last_update_at: maybeTime,
      last_update_client: maybeText,
      created_at: Time,
      created_cc: maybeText,
      deleted_at: Time,
      token_prefix: maybeText,
      token_created_at: maybeTime,
      token_last_used_at: maybeTime,
      token_last_used_ip: maybeText,
      token_last_client: maybeText,
      records: nullable(
        Type.Array(
          Type.Object({
            id: Id,
            owner: text,
            type: text,
            ttl: Type.Integer(),
            rdata: Type.Array(text),
            created_at: Time,
            version: Type.Integer(),
          }),
          { description: 'The records that come back with the domain.' },
        ),
      ),
      forward: kept('The web forward that comes back with the domain.'),
      monitor: kept('The settings of the monitor that come back with the domain.'),
    },
    'Deleted domains that can be restored, with their update tokens.',
  ),
  former_domains: rows(
    { domain_id: Id, fqdn: text, deleted_at: Time },
    'Deleted domains, as long as their history is kept.',
  ),
  reserved_names: rows({ fqdn: text, reserved_until: Time }),
  locked_names: rows(
    { fqdn: text, locked_at: Time },
    'Names that an administrator locked while the account had them.',
  ),
  web_forwards: rows({
    id: Id,
    domain_id: Id,
    target_url: text,
    forwarding_type: text,
    status_code: Type.Integer(),
    title: maybeText,
    description: maybeText,
    keywords: maybeText,
    forward_path: yesOrNo,
    forward_query: yesOrNo,
    is_active: yesOrNo,
    target_set_at: Time,
    fallback: maybeText,
    checked_at: maybeTime,
    check_result: nullable(Type.Object({}, { additionalProperties: true })),
    disabled_at: maybeTime,
    disabled_reason: maybeText,
    version: Type.Integer(),
    created_at: Time,
  }),
  web_forward_hits: rows(
    { forward_id: Id, day: Type.String({ format: 'date' }), hits: Type.Integer() },
    'The numbers of requests for each web forward, without who made them.',
  ),
  ...exportedMonitors,
  records: rows({
    id: Id,
    zone: text,
    owner: text,
    type: text,
    ttl: Type.Integer(),
    rdata: Type.Array(text),
    origin: text,
  }),
  zones: rows(
    { id: Id, name: text, is_served: yesOrNo, created_at: Time },
    'Zones that the account owns.',
  ),
  zone_claims: rows(
    {
      id: Id,
      name: text,
      state: text,
      is_vanity: yesOrNo,
      uses_vanity: yesOrNo,
      proof: maybeText,
      was_delegated: nullable(Type.Boolean()),
      claimed_at: Time,
      expires_at: maybeTime,
      active_at: maybeTime,
      withheld_at: maybeTime,
      ended_at: maybeTime,
      last_check: nullable(Type.Object({}, { additionalProperties: true })),
      checked_at: maybeTime,
      next_check_at: maybeTime,
      verified_at: maybeTime,
      kept: nullable(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'The domains and records of a zone that another account proved.',
          },
        ),
      ),
    },
    'Claims of domains as own zones, without the tokens that prove the ownership.',
  ),
  update_tokens: rows({ domain_id: Id, prefix: text, created_at: Time, ...lastUse }),
  domain_history: rows(
    {
      domain_id: Id,
      id: Id,
      time: Time,
      fqdn: text,
      kind: text,
      actor: text,
      actor_id: nullable(Id),
      source_ip: maybeText,
      client: maybeText,
      old_ipv4: maybeText,
      old_ipv6: maybeText,
      new_ipv4: maybeText,
      new_ipv6: maybeText,
      detail: Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description:
          'The old and the new value of a note, of tags, of a web forward or of a record.',
      }),
      undoes: nullable(Id),
    },
    'Every change of every domain, deleted domains included. Changes by administrators are listed without their source addresses.',
  ),
  zone_history: rows(
    {
      claim_id: Id,
      id: Id,
      time: Time,
      zone: text,
      kind: text,
      actor: text,
      actor_id: nullable(Id),
      source_ip: maybeText,
      client: maybeText,
      detail: Type.Object({}, { additionalProperties: true }),
      undoes: nullable(Id),
    },
    'Every change of a record in an own zone that belongs to no domain.',
  ),
  update_calls: rows(
    {
      domain_id: Id,
      first_at: Time,
      last_at: Time,
      times: Type.Integer(),
      is_refused: yesOrNo,
      source_ip: maybeText,
      client: maybeText,
      dialect: text,
      path: text,
      said: text,
      answer: text,
      hint: maybeText,
    },
    'What update clients sent.',
  ),
  query_counts: rows(
    { domain_id: Id, day: Type.String({ format: 'date' }), queries: Type.Integer() },
    'The numbers of DNS queries for each domain.',
  ),
}

const access = {
  sessions: rows({
    id: Id,
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    confirmed_at: maybeTime,
    ip: maybeText,
    client: maybeText,
  }),
  login_history: rows({
    time: Time,
    ip: text,
    cc: maybeText,
    client: maybeText,
    success: yesOrNo,
    method: SignInMethodOrNull,
  }),
  known_networks: rows(
    { network: text, seen_at: Time },
    'Networks from which the correct password came. The owner can sign in from there while others guess passwords.',
  ),
  mail_links: rows(
    {
      purpose: text,
      email: text,
      created_at: Time,
      expires_at: Time,
      used_at: maybeTime,
    },
    'Links that the service sent by mail.',
  ),
  dismissed_notices: rows(
    { kind: text, occurred_at: Time, dismissed_at: Time },
    'Notices on the screens that the owner dismissed.',
  ),
  second_factors: Type.Object(
    {
      is_on: yesOrNo,
      totp: rows({ created_at: Time, confirmed_at: maybeTime }),
      recovery_codes: rows({ created_at: Time, used_at: maybeTime }),
      passkeys: rows({
        id: Id,
        name: text,
        transports: Type.Array(text),
        aaguid: maybeText,
        is_synced: yesOrNo,
        is_backed_up: yesOrNo,
        created_at: Time,
        last_used_at: maybeTime,
      }),
    },
    { additionalProperties: false, description: 'The second factors, without their secrets.' },
  ),
  api_keys: rows(
    {
      id: Id,
      name: text,
      prefix: text,
      scope,
      created_at: Time,
      expires_at: maybeTime,
      unused_days: nullable(Type.Integer()),
      unused_expires_at: maybeTime,
      ...lastUse,
      rotated_at: maybeTime,
      replaced_by: nullable(Id),
      policy_id: nullable(Id),
    },
    'API keys, former secrets (`replaced_by`) and keys of pipelines (`policy_id`). They do not contain the secrets themselves.',
  ),
  trust_policies: rows({
    id: Id,
    name: text,
    issuer: text,
    repository: maybeText,
    repository_id: maybeText,
    repository_owner_id: maybeText,
    branch: maybeText,
    environment: maybeText,
    subject: maybeText,
    scope,
    created_at: Time,
    last_used_at: maybeTime,
    last_used_ip: maybeText,
    last_subject: maybeText,
  }),
  idempotency_keys: rows(
    {
      key: text,
      operation: text,
      started_at: Time,
      status: nullable(Type.Integer()),
      expires_at: Time,
    },
    'Calls with an idempotency key within the last day. Their stored responses repeat what is above.',
  ),
  jobs: rows(
    { kind: text, state: text, created_at: Time, completed_at: maybeTime },
    'Jobs, such as mails, that are waiting or were completed within the last day.',
  ),
}

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
    ...names,
    ...access,
    ...exportedPayments,
    is_complete: Type.Literal(true, {
      description: 'The last field. An archive without it is incomplete.',
    }),
  },
  'All data about a person.',
)
export type AccountExport = Static<typeof AccountExport>
