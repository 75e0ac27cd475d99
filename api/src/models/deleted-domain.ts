import {
  bigint,
  boolean,
  bytea,
  inet,
  integer,
  nullable,
  text,
  textArray,
  textOf,
  timestamptz,
} from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'
import { Zone } from './zone.ts'

/**
 * Deleted domains that can be restored, and their wildcards. A table of its own, so that every statement about
 * `domains` is right without knowing about them.
 */
export class DeletedDomain extends table('deleted_domains', {
  /** The id that it had in `domains`. */
  id: bigint,
  user_id: bigint,
  zone_id: bigint,
  /** For a wildcard: its base, which was deleted with it. */
  base_id: nullable(bigint),
  fqdn: text,
  rrtype: textOf<'A' | 'AAAA'>(),
  record_ipv4: nullable(inet),
  record_ipv6: nullable(inet),
  paused: boolean,
  note: nullable(text),
  tags: textArray,
  version: integer,
  last_update_at: nullable(timestamptz),
  allowance_full_at: nullable(timestamptz),
  created_at: timestamptz,
  created_cc: nullable(text),
  /** The update token. Null: it had none, or its owner has revoked it since. */
  token_prefix: nullable(text),
  /** SHA-256. */
  token_digest: nullable(bytea),
  token_created_at: nullable(timestamptz),
  token_last_used_at: nullable(timestamptz),
  token_last_used_ip: nullable(inet),
  token_last_client: nullable(text),
  deleted_at: timestamptz,
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
