/** Rows as PostgreSQL gives them to this room: bigint and inet as text, timestamptz as Date. */
import type { DomainColumns } from '../models/domain.ts'

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
export interface DomainRow extends DomainColumns {
  readonly locked: boolean
  readonly paused: boolean
  readonly over_limit: boolean
  readonly owner_blocked: boolean
  /** When the allowance of changes will be full again; null: it never was asked. */
  readonly allowance_full_at: Date | null
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
