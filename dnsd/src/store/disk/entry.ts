/*
 * The octets of the entries in snapshots and logs.
 *
 *   zone        begins a zone: id, version, SOA, apex; the served zone with that id stays until `zone-end`
 *   names       some of its names, as table entries, in the same form as in memory (`table/layout`)
 *   states      the same in a separate form: the apex, and all names in files of format 1
 *   incomplete  in a snapshot: changes of the zone were lost before the snapshot was written
 *   zone-end    the zone is complete and replaces the one before it
 *   change-set  one change set: each name with its old and its new RRsets
 *   zone-gone   the zone is no longer served
 *   end         in a snapshot: how much of the log belongs to it
 *
 * Names and RDATA are in wire form (RFC 1035 §3.1), so that reading parses no text. `names` are not parsed
 * at all: most of a start is copying them into memory and indexing them.
 */
import { nameLengthAt } from '../../names/index.ts'
import type { OwnerState, RRset, SoaParameters, ZoneVersion } from '../../zone/index.ts'
import type { ChangedName, ChangeSet } from '../change-set.ts'
import { FormatError, OctetReader, type OctetWriter } from './octets.ts'

export interface ZoneEntry {
  readonly kind: 'zone'
  readonly zoneId: string
  readonly version: ZoneVersion
  readonly soa: SoaParameters
  readonly apex: Buffer
  /** About how many names follow, so that memory is allocated once. */
  readonly names: number
}

export type Entry =
  | ZoneEntry
  | { readonly kind: 'names'; readonly zoneId: string; readonly octets: Buffer }
  | { readonly kind: 'states'; readonly zoneId: string; readonly states: readonly OwnerState[] }
  | { readonly kind: 'incomplete'; readonly zoneId: string }
  | { readonly kind: 'zone-end'; readonly zoneId: string }
  | { readonly kind: 'change-set'; readonly zoneId: string; readonly set: ChangeSet }
  | { readonly kind: 'zone-gone'; readonly zoneId: string }
  | { readonly kind: 'end'; readonly logBytes: number }

// Ordered by their numbers in files, so new kinds are added at the end.
const KINDS = [
  'zone',
  'states',
  'zone-end',
  'change-set',
  'zone-gone',
  'end',
  'names',
  'incomplete',
] as const

// Replaces the number of RRsets when the name is deleted.
const GONE = 0xffff

/** Octets of one entry, without the frame around it. */
export function writeEntry(out: OctetWriter, entry: Entry): void {
  out.u8(KINDS.indexOf(entry.kind))
  if (entry.kind === 'end') {
    out.u64(BigInt(entry.logBytes))
    return
  }
  out.u64(BigInt(entry.zoneId))
  if (entry.kind === 'zone') {
    writeVersion(out, entry.version)
    writeSoa(out, entry.soa)
    out.bytes(entry.apex)
    out.u32(entry.names)
  } else if (entry.kind === 'names') {
    out.bytes(entry.octets)
  } else if (entry.kind === 'states') {
    out.u32(entry.states.length)
    for (const { owner, rrsets } of entry.states) {
      out.bytes(owner)
      writeRRsets(out, rrsets)
    }
  } else if (entry.kind === 'change-set') {
    writeChangeSet(out, entry.set)
  }
}

/** @throws FormatError, NameError when the octets are not a valid entry */
export function readEntry(octets: Buffer): Entry {
  const input = new OctetReader(octets)
  const kind = KINDS[input.u8()]
  if (kind === undefined) throw new FormatError('a record has an unknown kind')
  const entry = readEntryOf(kind, input)
  if (!input.isAtEnd) throw new FormatError('a record is longer than its contents')
  return entry
}

/** What an entry does to the versions of a zone, without the names in it. */
export type EntryHead =
  | {
      readonly kind: 'zone'
      readonly zoneId: string
      readonly version: ZoneVersion
      readonly soa: SoaParameters
    }
  | {
      readonly kind: 'change-set'
      readonly zoneId: string
      readonly set: Omit<ChangeSet, 'changes'>
    }
  | { readonly kind: 'zone-gone'; readonly zoneId: string }

/**
 * The head of an entry; undefined for entries that do not affect versions.
 *
 * @throws FormatError, NameError when the octets are not a valid entry
 */
export function readHead(octets: Buffer): EntryHead | undefined {
  const input = new OctetReader(octets)
  const kind = KINDS[input.u8()]
  if (kind !== 'zone' && kind !== 'change-set' && kind !== 'zone-gone') return undefined
  const zoneId = String(input.u64())
  if (kind === 'zone') return { kind, zoneId, version: readVersion(input), soa: readSoa(input) }
  return kind === 'change-set' ? { kind, zoneId, set: readChangeSetHead(input) } : { kind, zoneId }
}

function readEntryOf(kind: Entry['kind'], input: OctetReader): Entry {
  if (kind === 'end') return { kind, logBytes: Number(input.u64()) }
  const zoneId = String(input.u64())
  switch (kind) {
    case 'zone': {
      const head = { kind, zoneId, version: readVersion(input), soa: readSoa(input) }
      const apex = name(input)
      // Format 1 does not have it.
      return { ...head, apex, names: input.isAtEnd ? 0 : input.u32() }
    }
    case 'names':
      return { kind, zoneId, octets: input.bytes(input.rest().length) }
    case 'states':
      return { kind, zoneId, states: times(input.u32(), () => readState(input)) }
    case 'change-set':
      return { kind, zoneId, set: readChangeSet(input) }
    case 'incomplete':
    case 'zone-end':
    case 'zone-gone':
      return { kind, zoneId }
    default:
      return kind satisfies never
  }
}

function times<T>(count: number, read: () => T): T[] {
  const all: T[] = []
  for (let done = 0; done < count; done++) all.push(read())
  return all
}

function name(input: OctetReader): Buffer {
  return input.bytes(nameLengthAt(input.rest()))
}

function writeVersion(out: OctetWriter, version: ZoneVersion): void {
  out.u64(version.serial)
  out.text(version.feedId)
  out.text(version.token)
}

function readVersion(input: OctetReader): ZoneVersion {
  return { serial: input.u64(), feedId: input.text(), token: input.text() }
}

function writeSoa(out: OctetWriter, soa: SoaParameters): void {
  out.bytes(soa.mname)
  out.bytes(soa.rname)
  out.u32(soa.refreshSeconds)
  out.u32(soa.retrySeconds)
  out.u32(soa.expireSeconds)
  out.u32(soa.minimumSeconds)
  out.u32(soa.ttlSeconds)
}

function readSoa(input: OctetReader): SoaParameters {
  return {
    // A copy, because it lives as long as the zone and must not keep the read buffer alive.
    mname: Buffer.from(name(input)),
    rname: Buffer.from(name(input)),
    refreshSeconds: input.u32(),
    retrySeconds: input.u32(),
    expireSeconds: input.u32(),
    minimumSeconds: input.u32(),
    ttlSeconds: input.u32(),
  }
}

function writeRRsets(out: OctetWriter, rrsets: readonly RRset[] | null): void {
  out.u16(rrsets === null ? GONE : rrsets.length)
  for (const { type, ttlSeconds, rdata } of rrsets ?? []) {
    out.u16(type)
    out.u32(ttlSeconds)
    out.u32(rdata.length)
    for (const one of rdata) {
      out.u16(one.length)
      out.bytes(one)
    }
  }
}

function readRRsets(input: OctetReader): RRset[] | null {
  const count = input.u16()
  if (count === GONE) return null
  return times(count, () => ({
    type: input.u16(),
    ttlSeconds: input.u32(),
    rdata: times(input.u32(), () => input.bytes(input.u16())),
  }))
}

function readState(input: OctetReader): OwnerState {
  return { owner: name(input), rrsets: readRRsets(input) }
}

function writeChangeSet(
  out: OctetWriter,
  { version, previousToken, soa, changes }: ChangeSet,
): void {
  writeVersion(out, version)
  out.text(previousToken)
  out.u8(soa === undefined ? 0 : 1)
  if (soa !== undefined) writeSoa(out, soa)
  out.u32(changes.length)
  for (const { owner, before, rrsets } of changes) {
    out.bytes(owner)
    writeRRsets(out, before)
    writeRRsets(out, rrsets)
  }
}

function readChange(input: OctetReader): ChangedName {
  return { owner: name(input), before: readRRsets(input), rrsets: readRRsets(input) }
}

function readChangeSetHead(input: OctetReader): Omit<ChangeSet, 'changes'> {
  const version = readVersion(input)
  const previousToken = input.text()
  const soa = input.u8() === 1 ? readSoa(input) : undefined
  return { version, previousToken, ...(soa === undefined ? {} : { soa }) }
}

function readChangeSet(input: OctetReader): ChangeSet {
  const head = readChangeSetHead(input)
  return { ...head, changes: times(input.u32(), () => readChange(input)) }
}
