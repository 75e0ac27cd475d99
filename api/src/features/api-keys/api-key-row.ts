import type { ApiKey } from '@homing/openapi'

/** A key as its owner sees it. */
export interface ApiKeyRow {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export const API_KEY_COLUMNS = 'id, name, prefix, created_at, last_used_at'

/** A key as JSON. */
export function apiKeyBody({ id, name, prefix, created_at, last_used_at }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    prefix,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}
