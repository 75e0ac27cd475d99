import type { TrustPolicy as PolicyBody } from '@homing/openapi'
import { EVERYTHING } from '../../rules/key-scope.ts'
import type { Row } from '../../models/table.ts'
import type { TrustPolicy } from '../../models/trust-policy.ts'

/** Columns of a policy that its owner sees. */
export const POLICY_COLUMNS = [
  'id',
  'name',
  'issuer',
  'repository',
  'repository_id',
  'repository_owner_id',
  'branch',
  'environment',
  'subject',
  'scope',
  'created_at',
  'last_used_at',
  'last_used_ip',
  'last_subject',
] as const

export type PolicyRow = Pick<Row<typeof TrustPolicy>, (typeof POLICY_COLUMNS)[number]>

/** The required audience of tokens: this service, so that a token for another service is not accepted. */
export const audienceOf = (publicUrl: URL): string => publicUrl.origin

/** A policy as JSON. */
export function policyBody(row: PolicyRow, publicUrl: URL): PolicyBody {
  return {
    ...row,
    audience: audienceOf(publicUrl),
    scope: row.scope ?? EVERYTHING,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
