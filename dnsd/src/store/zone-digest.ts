import { createHash } from 'node:crypto'
import type { FrozenZone, OwnerState, SoaParameters, Zone, ZoneVersion } from '../zone/index.ts'
import { OctetWriter } from './disk/octets.ts'
import { sortedEntries } from './sorted-entries.ts'
import { WorkSlice } from './work-slice.ts'

/** A digest for checking whether two servers serve the same zone. */
export interface ZoneDigest {
  readonly version: ZoneVersion
  /** The number of published names. */
  readonly names: number
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string
}

/**
 * The checksum of a sorted dump of the zone: names in canonical order (RFC 4034 §6.1), their RRsets by
 * type, records by their octets. It covers one version. Two servers with the same data have the same
 * checksum, regardless of how each got the data. The SOA's fields are included, but not its serial.
 *
 * The names are those of one moment. They are collected and sorted in slices, and questions are answered
 * in between.
 *
 * @throws CaptureLost when too much changes meanwhile
 */
export async function zoneDigest(zone: Zone): Promise<ZoneDigest> {
  using frozen = await zone.capture()
  const slice = new WorkSlice()
  const entries = await sortedEntries(
    await collected(frozen, zone.nameCount, slice),
    (one, other) => frozen.compareOwners(one, other),
    slice,
  )
  const hash = createHash('sha256')
  const writer = new OctetWriter()
  writeSoa(writer, frozen.soaParameters)
  const { version, apex, apexRRsets } = frozen
  // The apex is the first name in the dump.
  if (apexRRsets !== null) writeState(writer, { owner: apex, rrsets: apexRRsets })
  for (const entry of entries) {
    writeState(writer, frozen.state(entry))
    hash.update(writer.octets)
    writer.clear()
    if (slice.isOver) await slice.rest()
  }
  hash.update(writer.octets)
  const names = entries.length + (apexRRsets === null ? 0 : 1)
  return { version, names, digest: hash.digest('hex') }
}

async function collected(
  frozen: FrozenZone,
  expectedNames: number,
  slice: WorkSlice,
): Promise<Int32Array> {
  let entries = new Int32Array(expectedNames)
  let count = 0
  for (const entry of frozen.entries()) {
    if (count === entries.length) {
      const more = new Int32Array(count + (count >> 1) + 16)
      more.set(entries)
      entries = more
    }
    entries[count] = entry
    count += 1
    if (count % 512 === 0 && slice.isOver) await slice.rest()
  }
  return entries.subarray(0, count)
}

function writeSoa(writer: OctetWriter, soa: SoaParameters): void {
  writer.bytes(soa.mname)
  writer.bytes(soa.rname)
  const { refreshSeconds, retrySeconds, expireSeconds, minimumSeconds, ttlSeconds } = soa
  for (const field of [refreshSeconds, retrySeconds, expireSeconds, minimumSeconds, ttlSeconds]) {
    writer.u32(field)
  }
}

function writeState(writer: OctetWriter, { owner, rrsets }: OwnerState): void {
  writer.bytes(owner)
  const sets = rrsets ?? []
  writer.u16(sets.length)
  for (const { type, ttlSeconds, rdata } of sets.toSorted((a, b) => a.type - b.type)) {
    writer.u16(type)
    writer.u32(ttlSeconds)
    for (const one of rdata.toSorted((a, b) => Buffer.compare(a, b))) {
      writer.u16(one.length)
      writer.bytes(one)
    }
  }
}
