import { soaSerial, TYPE } from '../names/index.ts'
import type { RRset } from './rrset.ts'

/**
 * The fields of a zone's SOA record without its serial (RFC 1035 §3.3.13). Names are in wire form.
 */
export interface SoaParameters {
  readonly mname: Buffer
  readonly rname: Buffer
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
  readonly minimumSeconds: number
  readonly ttlSeconds: number
}

/** The SOA RRset of a zone, with the SOA serial of the feed's `serial`. */
export function soaRRset(soa: SoaParameters, serial: bigint): RRset {
  const numbers = Buffer.alloc(20)
  const fields = [
    soaSerial(serial),
    soa.refreshSeconds,
    soa.retrySeconds,
    soa.expireSeconds,
    soa.minimumSeconds,
  ]
  fields.forEach((field, index) => numbers.writeUInt32BE(field, index * 4))
  const rdata = Buffer.concat([soa.mname, soa.rname, numbers])
  return { type: TYPE.SOA, ttlSeconds: soa.ttlSeconds, rdata: [rdata] }
}

/**
 * The same SOA for negative answers. Its TTL limits how long a resolver may cache them: the smaller
 * of the SOA's own TTL and MINIMUM (RFC 2308 §3 and §5).
 */
export function negativeSoa(soa: RRset): RRset {
  const minimumSeconds = soa.rdata[0]?.readUInt32BE(soa.rdata[0].length - 4) ?? 0
  return { ...soa, ttlSeconds: Math.min(soa.ttlSeconds, minimumSeconds) }
}
