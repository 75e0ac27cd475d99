/*
 * A zone whose contents at each serial can be computed, so that a zone restored from disk can be compared with them.
 * Set n gives one of ten names an address that encodes n, and deletes another name.
 */
import { inspect, isDeepStrictEqual } from 'node:util'
import { nameFromText, nameKey } from '../../src/names/index.ts'
import { type OwnerState, Zone } from '../../src/zone/index.ts'
import type { NewChangeSet, ZoneStore } from '../../src/store/zone-store.ts'

const NAMES = 10
const TYPE_A = 1
const apex = nameFromText('home.test.')

export const COUNTING_ID = '7'

const tokenOf = (serial: number): string => `token-${serial}`

function ownerAt(index: number): Buffer {
  return nameFromText(`host-${index % NAMES}.home.test.`)
}

function changesOf(serial: number): OwnerState[] {
  const address = Buffer.alloc(4)
  address.writeUInt32BE(serial)
  const rrsets = [{ type: TYPE_A, ttlSeconds: 60, rdata: [address] }]
  return [
    { owner: ownerAt(serial * 7), rrsets },
    { owner: ownerAt(serial * 7 + 5), rrsets: null },
  ]
}

export function countingSet(serial: number): NewChangeSet {
  return {
    version: { serial: BigInt(serial), feedId: 'feed', token: tokenOf(serial) },
    previousToken: tokenOf(serial - 1),
    changes: changesOf(serial),
  }
}

/** The zone after that set. */
export function countingZone(serial: number): Zone {
  const seconds = { refreshSeconds: 1, retrySeconds: 2, expireSeconds: 3, minimumSeconds: 4 }
  const soa = { mname: apex, rname: apex, ttlSeconds: 5, ...seconds }
  const zone = new Zone(apex, { serial: 1n, feedId: 'feed', token: tokenOf(1) }, soa)
  for (let each = 2; each <= serial; each++) {
    const { changes, version } = countingSet(each)
    zone.apply(changes, version)
  }
  return zone
}

/** Version and contents of a zone, for comparison. */
export function pictureOf(zone: Zone): object {
  const names = [...zone.owners()].map(({ owner, rrsets }) => [
    nameKey(owner),
    (rrsets ?? []).map(({ type, ttlSeconds, rdata }) => ({
      type,
      ttlSeconds,
      rdata: rdata.map((one) => one.toString('hex')),
    })),
  ])
  return { version: zone.version, soa: zone.soaParameters, names: Object.fromEntries(names) }
}

/** The serial that a store has, after checking that its contents match. */
export function wholeSerial(store: ZoneStore): number {
  const zone = store.held(COUNTING_ID)
  if (zone === undefined) return 0
  const serial = Number(zone.version.serial)
  if (!isDeepStrictEqual(pictureOf(zone), pictureOf(countingZone(serial)))) {
    throw new Error(`serial ${serial} holds ${inspect(pictureOf(zone), { depth: null })}`)
  }
  return serial
}
