import { bytea, inet, jsonb, nullable, text, timestamptz } from './columns.ts'
import { OWN_COLUMNS } from './domain-columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'
import type { WebForwardRow } from './web-forward.ts'
import { Zone } from './zone.ts'

/** A record of a deleted domain, as it was. */
export interface KeptRecord {
  readonly id: string
  readonly owner: string
  readonly type: string
  readonly ttl: number
  readonly rdata: readonly string[]
  readonly created_at: string
  readonly version: number
}

/** The web forward of a deleted domain: its row, with the times as text. */
export type KeptForward = Omit<WebForwardRow, 'checked_at'> & { readonly checked_at: string | null }

/**
 * Deleted domains that can be restored, and their wildcards. A table of its own, so that every statement about
 * `domains` is right without knowing about them.
 */
export class DeletedDomain extends table('deleted_domains', {
  /** `id` and `base_id` are the ids that it and its base had; the base was deleted with it. */
  ...OWN_COLUMNS,
  /** The update token. Null: it had none, or its owner has revoked it since. */
  token_prefix: nullable(text),
  /** SHA-256. */
  token_digest: nullable(bytea),
  token_created_at: nullable(timestamptz),
  token_last_used_at: nullable(timestamptz),
  token_last_used_ip: nullable(inet),
  token_last_client: nullable(text),
  deleted_at: timestamptz,
  /** Its records, which come back with it (`feed/kept-records.ts`). Null: it had none. */
  records: nullable(jsonb<readonly KeptRecord[]>()),
  /** Its web forward, which comes back with it (`feed/kept-forward.ts`). Null: it had none. */
  forward: nullable(jsonb<KeptForward>()),
  /** The settings of its monitor, with `windows` of maintenance. Null: it had none. */
  monitor: nullable(jsonb<Readonly<Record<string, unknown>>>()),
}) {
  declare owner?: User
  declare zone?: Zone
  declare base?: DeletedDomain
  static override readonly relationMappings = () => ({
    owner: belongsTo(User, 'deleted_domains.user_id'),
    zone: belongsTo(Zone, 'deleted_domains.zone_id'),
    base: belongsTo(DeletedDomain, 'deleted_domains.base_id'),
  })
  static override readonly modifiers = { ownedBy }
}
