/** Converts the SOA record between its wire form and the columns of `zones` (RFC 1035 §3.3.13). */
import { embeddedNames, nameToText, TYPE } from '@homing/dnsd/names'
import type { ZoneRow } from '../rows.ts'

/** The zone's parameters; times in seconds. A file's serial is not used: the feed has its own. */
export interface Soa {
  readonly mname: string
  readonly rname: string
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  readonly minimum: number
  readonly ttl: number
}

/** Times above 2³¹ - 1 s (68 years) mean "forever" and are limited to that value. */
const LONGEST_SECONDS = 2 ** 31 - 1

/** Parses well-formed SOA RDATA. */
export function soaFromWire(rdata: Buffer, ttlSeconds: number): Soa {
  const [mname, rname] = embeddedNames(TYPE.SOA, rdata).map(({ offset, length }) =>
    nameToText(rdata.subarray(offset, offset + length)).toLowerCase(),
  )
  if (mname === undefined || rname === undefined) throw new TypeError('SOA RDATA has two names')
  // After the names: serial, refresh, retry, expire, minimum; 32 bits each.
  const seconds = (n: number) =>
    Math.min(rdata.readUInt32BE(rdata.length - 20 + n * 4), LONGEST_SECONDS)
  return {
    mname,
    rname,
    refresh: seconds(1),
    retry: seconds(2),
    expire: seconds(3),
    minimum: seconds(4),
    ttl: ttlSeconds,
  }
}

/** SOA RDATA as text, for a master file. */
export function soaToText(zone: ZoneRow, soaSerial: number): string {
  const { soa_mname, soa_rname, soa_refresh, soa_retry, soa_expire, soa_minimum } = zone
  return `${soa_mname}. ${soa_rname}. ${soaSerial} ${soa_refresh} ${soa_retry} ${soa_expire} ${soa_minimum}`
}
