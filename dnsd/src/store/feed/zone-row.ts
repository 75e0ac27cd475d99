import { nameFromText, ROOT_NAME } from '../../names/index.ts'
import type { SoaParameters, ZoneVersion } from '../../zone/index.ts'

/** Columns of the view `dns_zone`, for both ways of reading it. */
export const ZONE_COLUMNS = `z.name, z.serial, z.feed_id, z.token,
  z.soa_mname, z.soa_rname, z.soa_refresh, z.soa_retry, z.soa_expire, z.soa_minimum, z.soa_ttl`

/** A row of the view `dns_zone`. PostgreSQL's bigint comes as text. */
export interface ZoneRow {
  readonly zone_id: string
  readonly name: string
  readonly serial: string
  readonly feed_id: string
  readonly token: string
  readonly soa_mname: string
  readonly soa_rname: string
  readonly soa_refresh: number
  readonly soa_retry: number
  readonly soa_expire: number
  readonly soa_minimum: number
  readonly soa_ttl: number
}

/** The version of a zone's contents. */
export function versionOf(row: Pick<ZoneRow, 'serial' | 'feed_id' | 'token'>): ZoneVersion {
  return { serial: BigInt(row.serial), feedId: row.feed_id, token: row.token }
}

/**
 * @throws NameError when a name of the row is invalid, RangeError when a number of it is negative
 */
export function soaOf(row: ZoneRow): SoaParameters {
  const { soa_refresh, soa_retry, soa_expire, soa_minimum, soa_ttl } = row
  if (Math.min(soa_refresh, soa_retry, soa_expire, soa_minimum, soa_ttl) < 0) {
    throw new RangeError('a number of the SOA is negative')
  }
  return {
    mname: absolute(row.soa_mname),
    rname: absolute(row.soa_rname),
    refreshSeconds: soa_refresh,
    retrySeconds: soa_retry,
    expireSeconds: soa_expire,
    minimumSeconds: soa_minimum,
    ttlSeconds: soa_ttl,
  }
}

/** Names in the database are absolute and have no final dot. @throws NameError */
export function absolute(text: string): Buffer {
  return nameFromText(text, ROOT_NAME)
}

/** Whether two SOA records differ in anything but the serial. */
export function sameSoa(a: SoaParameters, b: SoaParameters): boolean {
  return (
    a.mname.equals(b.mname) &&
    a.rname.equals(b.rname) &&
    a.refreshSeconds === b.refreshSeconds &&
    a.retrySeconds === b.retrySeconds &&
    a.expireSeconds === b.expireSeconds &&
    a.minimumSeconds === b.minimumSeconds &&
    a.ttlSeconds === b.ttlSeconds
  )
}
