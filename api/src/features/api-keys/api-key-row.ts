import type { ApiKey as ApiKeyBody } from '@homing/openapi'
import { EVERYTHING } from '../../rules/key-scope.ts'
import type { ApiKey } from '../../models/api-key.ts'
import type { Row } from '../../models/table.ts'

/** Columns that the owner of a key sees. */
export const SHOWN = [
  'id',
  'name',
  'prefix',
  'scope',
  'created_at',
  'expires_at',
  'unused_days',
  'unused_expires_at',
  'last_used_at',
  'last_used_ip',
  'last_client',
  'rotated_at',
  'version',
] as const

/** The former secret of a key; null if the key was never rotated, or the overlap has ended. */
interface FormerColumns {
  readonly former_prefix: string | null
  readonly former_expires_at: Date | null
  readonly former_last_used_at: Date | null
  readonly former_last_used_ip: string | null
  readonly former_last_client: string | null
}

/** A key as its owner sees it. */
export type ApiKeyRow = Pick<Row<typeof ApiKey>, (typeof SHOWN)[number]> & FormerColumns

/** When a key ends; null for a key without an end. */
export function endOf({ expires_at, unused_expires_at }: ApiKeyRow): Date | null {
  const ends = [expires_at, unused_expires_at].filter((end) => end !== null)
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** A former secret that still works. */
function formerBody(row: ApiKeyRow, now: Date): ApiKeyBody['former_secret'] {
  const { former_prefix: prefix, former_expires_at: expiresAt } = row
  if (prefix === null || expiresAt === null || expiresAt <= now) return null
  return {
    prefix,
    expires_at: expiresAt.toISOString(),
    last_used_at: row.former_last_used_at?.toISOString() ?? null,
    last_used_ip: row.former_last_used_ip,
    last_client: row.former_last_client,
  }
}

/** A key as JSON. */
export function apiKeyBody(row: ApiKeyRow, now: Date): ApiKeyBody {
  const { id, name, prefix, scope, unused_days, last_used_ip, last_client, version } = row
  const end = endOf(row)
  return {
    id,
    name,
    prefix,
    scope: scope ?? EVERYTHING,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    unused_days,
    is_expired: end !== null && end <= now,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip,
    last_client,
    rotated_at: row.rotated_at?.toISOString() ?? null,
    version,
    former_secret: formerBody(row, now),
  }
}
