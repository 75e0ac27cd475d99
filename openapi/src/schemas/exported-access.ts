/** Sessions, credentials and what is about them in the archive of an account. */
import { Type } from 'typebox'
import { Id, nullable, Time } from '../schema.ts'
import { SignInMethodOrNull } from '../sign-in-methods.ts'
import type { KeyScope } from './api-keys.ts'
import { lastUse, maybeText, maybeTime, rows, text, yesOrNo } from './exported-rows.ts'

const scope = Type.Unsafe<KeyScope | null>({
  anyOf: [{ $ref: 'KeyScope#' }, { type: 'null' }],
  description: 'Null: everything that an API key can access.',
})
export const exportedAccess = {
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
