import type { ApiKey, KeyScope } from '@homing/openapi'
import { EVERYTHING } from '../../domain/key-scope.ts'
import type { Source } from '../../sql.ts'

/** A key as its owner sees it. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly scope: KeyScope | null
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly unused_days: number | null
  readonly unused_expires_at: Date | null
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
  readonly last_client: string | null
  readonly rotated_at: Date | null
  readonly former: FormerSecret | null
}

/** As PostgreSQL writes it into JSON. */
interface FormerSecret {
  readonly prefix: string
  readonly expires_at: string
  readonly last_used_at: string | null
  readonly last_used_ip: string | null
  readonly last_client: string | null
}

/** Of the table `api_keys`, called `k`. */
const COLUMNS = `
  k.id, k.name, k.prefix, k.scope, k.created_at, k.expires_at, k.unused_days, k.unused_expires_at,
  k.last_used_at, host(k.last_used_ip) as last_used_ip, k.last_client, k.rotated_at,
  case when f.id is not null then json_build_object(
    'prefix', f.prefix, 'expires_at', f.expires_at, 'last_used_at', f.last_used_at,
    'last_used_ip', host(f.last_used_ip), 'last_client', f.last_client) end as former`

/** Keys `k`, each with the secret that it had before, `f`. */
export const API_KEYS: Source = {
  columns: COLUMNS,
  from: 'api_keys k left join api_keys f on f.replaced_by = k.id',
}

/** When a key ends; null: it does not. */
export function endOf({ expires_at, unused_expires_at }: ApiKeyRow): Date | null {
  const ends = [expires_at, unused_expires_at].filter((end) => end !== null)
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}

/** A former secret that is still good. */
function formerBody({ former }: ApiKeyRow, now: Date): ApiKey['former_secret'] {
  if (former === null || new Date(former.expires_at) <= now) return null
  const { last_used_at } = former
  return {
    ...former,
    expires_at: new Date(former.expires_at).toISOString(),
    last_used_at: last_used_at === null ? null : new Date(last_used_at).toISOString(),
  }
}

/** A key as JSON. */
export function apiKeyBody(row: ApiKeyRow, now: Date): ApiKey {
  const { id, name, prefix, scope, unused_days, last_used_ip, last_client } = row
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
    former_secret: formerBody(row, now),
  }
}
