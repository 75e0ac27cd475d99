/* The zone home.test and states of its names, for tests. */
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import type { OwnerState, RRset } from './rrset.ts'
import type { SoaParameters } from './soa.ts'
import { Zone } from './zone.ts'

export const apex = nameFromText('home.test.')
export const soa: SoaParameters = {
  mname: nameFromText('ns1.home.test.'),
  rname: nameFromText('hostmaster.home.test.'),
  refreshSeconds: 3600,
  retrySeconds: 600,
  expireSeconds: 1_209_600,
  minimumSeconds: 60,
  ttlSeconds: 3600,
}

/** The version of the zone with a serial. */
export const version = (serial: bigint) => ({ serial, feedId: 'feed', token: `t${serial}` })
/** A name relative to the apex. */
export const name = (text: string) => nameFromText(text, apex)
/** The key of a name relative to the apex. */
export const key = (text: string) => nameKey(name(text))
/** Addresses of a name: one, 192.0.2.`last`. */
export const address = (last: number): RRset => ({
  type: TYPE.A,
  ttlSeconds: 60,
  rdata: [Buffer.from([192, 0, 2, last])],
})
export const alias: RRset = { type: TYPE.CNAME, ttlSeconds: 60, rdata: [name('other')] }
/** The new state of a name relative to the apex. */
export const state = (owner: string, rrsets: OwnerState['rrsets']): OwnerState => ({
  owner: name(owner),
  rrsets,
})
export const emptyZone = () => new Zone(apex, version(1n), soa)
