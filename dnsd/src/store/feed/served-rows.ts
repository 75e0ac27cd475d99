/*
 * From rows of the database to what a zone can serve. One row that cannot be served (an address that is
 * none, a name of 300 octets) must cost nothing but itself: it is left out and told of, and the name
 * that it belongs to exists all the same.
 */
import { canonicalRdata, rdataFromText, TYPE, typeFromText } from '../../names/index.ts'
import { type OwnerState, OwnerStateError, type RRset } from '../../zone/index.ts'
import { checkOwnerState } from '../../zone/rrset.ts'
import { absolute } from './zone-row.ts'

/** An RRset as the feed writes it. */
export interface RRsetRow {
  readonly type: string
  /** In seconds. */
  readonly ttl: number
  /** In presentation format. */
  readonly rdata: readonly string[]
}

/** Told of each row that is left out. */
export type OnSkipped = (owner: string, reason: string) => void

/** Wire form of an owner name; undefined when the text is no name. */
export function servedOwner(text: string, onSkipped: OnSkipped): Buffer | undefined {
  return orSkipped(text, onSkipped, () => absolute(text))
}

/** Wire form of an RRset; undefined when one of its records is none. Whether a zone takes it is not known yet. */
export function servedRRset(
  owner: string,
  { type, ttl, rdata }: RRsetRow,
  onSkipped: OnSkipped,
): RRset | undefined {
  return orSkipped(owner, onSkipped, () => {
    const number = typeFromText(type)
    const records = rdata.map((text) => rdataFromText(number, text))
    return { type: number, ttlSeconds: ttl, rdata: withoutRepeats(number, records) }
  })
}

/** The same state without what a zone of that origin would refuse; undefined when the name itself is refused. */
export function servable(
  originKey: string,
  state: OwnerState,
  onSkipped: (owner: Buffer, reason: string) => void,
): OwnerState | undefined {
  try {
    checkOwnerState(originKey, state)
    return state
  } catch (error) {
    if (!(error instanceof OwnerStateError)) throw error
  }
  let kept: OwnerState = { owner: state.owner, rrsets: state.rrsets === null ? null : [] }
  try {
    checkOwnerState(originKey, kept)
  } catch (error) {
    onSkipped(state.owner, messageOf(error))
    return undefined
  }
  for (const rrset of aliasLast(state.rrsets ?? [])) {
    const more: OwnerState = { owner: state.owner, rrsets: [...(kept.rrsets ?? []), rrset] }
    try {
      checkOwnerState(originKey, more)
      kept = more
    } catch (error) {
      onSkipped(state.owner, messageOf(error))
    }
  }
  return kept
}

// An alias gives way to other data, in whatever order they came: all servers are to serve the same.
function aliasLast(rrsets: readonly RRset[]): RRset[] {
  const isAlias = ({ type }: RRset): boolean => type === TYPE.CNAME
  return [...rrsets.filter((rrset) => !isAlias(rrset)), ...rrsets.filter(isAlias)]
}

/** RFC 2181 §5: records of a set that say the same are one record. */
function withoutRepeats(type: number, rdata: Buffer[]): Buffer[] {
  if (rdata.length < 2) return rdata
  const known = new Set<string>()
  return rdata.filter((one) => {
    const { size } = known
    return known.add(canonicalRdata(type, one).toString('latin1')).size > size
  })
}

function orSkipped<T>(owner: string, onSkipped: OnSkipped, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    onSkipped(owner, messageOf(error))
    return undefined
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
