import { ENTRY_LIMIT_BYTES, RECORDS_LIMIT_BYTES, RRSET_HEAD_BYTES } from '../table/index.ts'
import { isDataType, nameKey, RDATA_LIMIT_OCTETS, TTL_LIMIT_SECONDS, TYPE } from '../names/index.ts'
import { parentKey } from './name-key.ts'

/**
 * All records of one owner name and type (RFC 2181 §5). The set has one TTL, because a set whose records
 * expire at different times would be seen in part. RDATA is in wire form, names in it uncompressed.
 * Immutable: a change makes a new set, so references to the old one stay valid.
 */
export interface RRset {
  readonly type: number
  readonly ttlSeconds: number
  readonly rdata: readonly Buffer[]
}

/** The size of an RRset's records with their length fields, in octets. */
export function recordsBytes(rdata: readonly Uint8Array[]): number {
  let bytes = 0
  for (const one of rdata) bytes += 2 + one.length
  return bytes
}

/** The size of an RRset in an entry, in octets. */
function rrsetBytes({ rdata }: RRset): number {
  return RRSET_HEAD_BYTES + recordsBytes(rdata)
}

/**
 * The whole state of one owner name.
 *
 * `rrsets: null` means that the name is deleted. `rrsets: []` means that it exists without records: it
 * answers NODATA and stops a wildcard above it (RFC 4592 §2.2.2).
 */
export interface OwnerState {
  /** Wire form with the root octet. A zone accepts any letter case and returns lower case. */
  readonly owner: Buffer
  readonly rrsets: readonly RRset[] | null
}

/** A state that cannot be served. The zone is unchanged. */
export class OwnerStateError extends Error {
  readonly owner: Buffer

  constructor(owner: Buffer, message: string) {
    super(message)
    this.name = 'OwnerStateError'
    this.owner = owner
  }
}

/**
 * Rejects a state that would cause wrong or unreadable answers: names outside the zone, sets without
 * records, two sets of one type, an alias beside other data, a SOA (the zone makes its own), OPT and the
 * question types.
 *
 * @throws OwnerStateError
 */
export function checkOwnerState(apexKey: string, state: OwnerState): void {
  const { owner, rrsets } = state
  if (!keyIsAtOrBelow(nameKey(owner), apexKey)) {
    throw new OwnerStateError(owner, 'the owner name is not in the zone')
  }
  const types = new Set<number>()
  for (const rrset of rrsets ?? []) {
    const problem = types.has(rrset.type) ? 'occurs twice' : rrsetProblem(rrset)
    if (problem !== undefined) {
      throw new OwnerStateError(owner, `the RRset of type ${rrset.type} ${problem}`)
    }
    types.add(rrset.type)
  }
  const bytes = (rrsets ?? []).reduce((sum, rrset) => sum + rrsetBytes(rrset), 0)
  if (bytes > STATE_LIMIT_BYTES) throw new OwnerStateError(owner, 'the name has too many records')
  const isApex = owner.length === apexKey.length
  if (types.has(TYPE.CNAME) && (isApex || ![...types].every(standsBesideAlias))) {
    throw new OwnerStateError(owner, `the RRset of type ${TYPE.CNAME} ${ALIAS_IS_NOT_ALONE}`)
  }
}

// The entry limit minus the entry's header, its name, and the SOA of an apex.
const STATE_LIMIT_BYTES = ENTRY_LIMIT_BYTES - 1024

// RFC 1034 §3.6.2: an alias has no other data, and the apex always has the SOA. With both, a resolver's
// result would depend on its earlier questions.
const ALIAS_IS_NOT_ALONE = 'is an alias and cannot exist beside other data'

// RFC 4034 §2.5: DNSSEC records may exist beside an alias.
function standsBesideAlias(type: number): boolean {
  return type === TYPE.CNAME || type === TYPE.RRSIG || type === TYPE.NSEC
}

function rrsetProblem({ type, ttlSeconds, rdata }: RRset): string | undefined {
  if (!Number.isInteger(type) || !isDataType(type) || type === TYPE.SOA) {
    return 'is of a type that cannot be published'
  }
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 0 || ttlSeconds > TTL_LIMIT_SECONDS) {
    return `has the TTL ${ttlSeconds}`
  }
  if (rdata.length === 0) return 'has no records'
  if (rdata.some((one) => one.length > RDATA_LIMIT_OCTETS)) return 'has RDATA over 65535 octets'
  // No message could carry them, and a part of a set is not a valid RRset (RFC 2181 §5).
  if (recordsBytes(rdata) > RECORDS_LIMIT_BYTES) return 'has more records than a message can carry'
  // RFC 2181 §10.1: an alias has one canonical name.
  if ((type === TYPE.CNAME || type === TYPE.DNAME) && rdata.length > 1) return 'has two targets'
  return undefined
}

// Whether the name with key `key` is at or below the name with key `ancestorKey`.
function keyIsAtOrBelow(key: string, ancestorKey: string): boolean {
  let rest: string | undefined = key
  while (rest !== undefined && rest.length > ancestorKey.length) rest = parentKey(rest)
  return rest === ancestorKey
}
