/** Rows as PostgreSQL gives them to this room: bigint and inet as text, timestamptz as Date. */

/** What rules about names need of an account, as it is once its row is locked. */
export interface LockedAccount {
  readonly id: string
  readonly username: string
  readonly account_type: string
  readonly enabled: boolean
  readonly email_verified_at: Date | null
  readonly credential_version: number
}

/** A row of `domains`, whole. */
export interface DomainRow {
  readonly id: string
  readonly user_id: string
  readonly zone_id: string
  readonly base_id: string | null
  readonly fqdn: string
  readonly is_wildcard: boolean
  readonly rrtype: 'A' | 'AAAA'
  readonly record_ipv4: string | null
  readonly record_ipv6: string | null
  /** Seconds. */
  readonly ttl: number
  readonly locked: boolean
  readonly paused: boolean
  readonly over_limit: boolean
  readonly owner_blocked: boolean
  readonly is_active: boolean
  readonly version: number
  readonly last_update_at: Date | null
  /** When the allowance of changes will be full again; null: it never was asked. */
  readonly allowance_full_at: Date | null
  readonly created_at: Date
  readonly created_cc: string | null
}

/** A row of `zones`, whole. Times are seconds. */
export interface ZoneRow {
  readonly id: string
  readonly name: string
  readonly owner_id: string | null
  readonly offered: boolean
  readonly configured_at: Date | null
  readonly soa_origin: 'system' | 'import' | 'user'
  readonly soa_mname: string
  readonly soa_rname: string
  readonly soa_refresh: number
  readonly soa_retry: number
  readonly soa_expire: number
  readonly soa_minimum: number
  readonly soa_ttl: number
  readonly created_at: Date
}
