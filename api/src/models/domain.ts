/** Names that users own (table `domains`). */
import { Model, raw, type TransactionOrKnex } from 'objection'

class Domain extends Model {
  static override readonly tableName = 'domains'

  declare id: string
  declare user_id: string
  declare zone_id: string
  /** Of a wildcard: the domain whose addresses it follows. */
  declare base_id: string | null
  declare fqdn: string
  declare is_wildcard: boolean
  declare rrtype: 'A' | 'AAAA'
  declare record_ipv4: string | null
  declare record_ipv6: string | null
  /** Seconds. */
  declare ttl: number
  declare is_active: boolean
  declare version: number
  declare last_update_at: Date | null
  declare created_at: Date
  /** ISO 3166-1, two letters. */
  declare created_cc: string | null
}

/** A domain as its owner sees it: with its zone, its owner's name, and whether it has a wildcard. */
export class OwnedDomain extends Domain {
  declare zone: string
  declare username: string
  declare wildcard_enabled: boolean

  /** The domains of one account; tables are `d` (domains), `z` (zones), `u` (users). */
  static of(db: TransactionOrKnex, userId: string) {
    return this.query(db)
      .alias('d')
      .join('zones as z', 'z.id', 'd.zone_id')
      .join('users as u', 'u.id', 'd.user_id')
      .where('d.user_id', userId)
      .select(
        'd.*',
        'z.name as zone',
        'u.username',
        raw('exists (select from domains w where w.base_id = d.id)').as('wildcard_enabled'),
      )
  }
}
