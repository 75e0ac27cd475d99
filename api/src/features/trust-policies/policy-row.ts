import type { KeyScope, TrustPolicy } from '@homing/openapi'
import { EVERYTHING } from '../../domain/key-scope.ts'
import type { TrustedPipeline } from '../../domain/trust-policy.ts'

export interface PolicyRow extends TrustedPipeline {
  readonly id: string
  readonly name: string
  readonly issuer: string
  readonly scope: KeyScope | null
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
  readonly last_subject: string | null
}

export const POLICY_COLUMNS = `
  t.id, t.name, t.issuer, t.repository, t.repository_id, t.repository_owner_id, t.branch, t.environment, t.subject, t.scope, t.created_at,
  t.last_used_at, host(t.last_used_ip) as last_used_ip, t.last_subject`

/** What tokens have to be made for: this service, so that one for another is of no use here. */
export const audienceOf = (publicUrl: URL): string => publicUrl.origin

/** A policy as JSON. */
export function policyBody(row: PolicyRow, publicUrl: URL): TrustPolicy {
  return {
    ...row,
    audience: audienceOf(publicUrl),
    scope: row.scope ?? EVERYTHING,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
