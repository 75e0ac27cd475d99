import {
  bigint,
  boolean,
  inet,
  integer,
  nullable,
  text,
  textArray,
  textOf,
  timestamptz,
} from './columns.ts'

/** What a domain is, without what the platform decides about it. Its deletion keeps these columns for a return. */
export const OWN_COLUMNS = {
  id: bigint,
  user_id: bigint,
  zone_id: bigint,
  /** For a wildcard: the domain whose addresses it follows. */
  base_id: nullable(bigint),
  fqdn: text,
  /** Type of the address that is the contract's `record_ip`. */
  rrtype: textOf<'A' | 'AAAA'>(),
  record_ipv4: nullable(inet),
  record_ipv6: nullable(inet),
  paused: boolean,
  /** What the owner wrote about it. */
  note: nullable(text),
  tags: textArray,
  version: integer,
  last_update_at: nullable(timestamptz),
  /** The User-Agent of the last update. Null: it is unknown, or an administrator made it. */
  last_update_client: nullable(text),
  /** When the rate limit's allowance of changes is full again; null: never used. */
  allowance_full_at: nullable(timestamptz),
  created_at: timestamptz,
  /** ISO 3166-1, two letters. */
  created_cc: nullable(text),
}
