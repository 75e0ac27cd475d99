import type { ApiKey, KeyScope } from '@homing/openapi'

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
}

/** Of the table `api_keys`, called `k`. */
export const API_KEY_COLUMNS = `
  k.id, k.name, k.prefix, k.scope, k.created_at, k.expires_at, k.unused_days, k.unused_expires_at,
  k.last_used_at, host(k.last_used_ip) as last_used_ip, k.last_client`

const EVERYTHING: KeyScope = { domains: null, actions: null, record_types: null, networks: null }

/** A key as JSON. */
export function apiKeyBody(row: ApiKeyRow, now: Date): ApiKey {
  const { id, name, prefix, scope, unused_days, last_used_ip, last_client } = row
  const isOver = (end: Date | null) => end !== null && end <= now
  return {
    id,
    name,
    prefix,
    scope: scope ?? EVERYTHING,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    unused_days,
    is_expired: isOver(row.expires_at) || isOver(row.unused_expires_at),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip,
    last_client,
  }
}
