/*
 * Converts database rows to servable zone data. A row that cannot be served (an invalid address, a name of 300
 * octets) must affect only itself: it is skipped and reported, and the name that it belongs to still exists.
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

/** Called for each row that is skipped. */
export type OnSkipped = (owner: string, reason: string) => void

/** Wire form of an owner name; undefined when the text is not a valid name. */
export function servedOwner(text: string, onSkipped: OnSkipped): Buffer | undefined {
  return orSkipped(text, onSkipped, () => absolute(text))
}

/** Wire form of an RRset; undefined when one of its records is invalid. The zone may still refuse it. */
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

/** The same state without what a zone of that apex would refuse; undefined when the name itself is refused. */
export function servable(
  apexKey: string,
  state: OwnerState,
  onSkipped: (owner: Buffer, reason: string) => void,
): OwnerState | undefined {
  try {
    checkOwnerState(apexKey, state)
    return state
  } catch (error) {
    if (!(error instanceof OwnerStateError)) throw error
  }
  let kept: OwnerState = { owner: state.owner, rrsets: state.rrsets === null ? null : [] }
  try {
    checkOwnerState(apexKey, kept)
  } catch (error) {
    onSkipped(state.owner, messageOf(error))
    return undefined
  }
  for (const rrset of aliasLast(state.rrsets ?? [])) {
    const more: OwnerState = { owner: state.owner, rrsets: [...(kept.rrsets ?? []), rrset] }
    try {
      checkOwnerState(apexKey, more)
      kept = more
    } catch (error) {
      onSkipped(state.owner, messageOf(error))
    }
  }
  return kept
}

// Other data takes precedence over an alias, regardless of their order, so that all servers serve the same data.
function aliasLast(rrsets: readonly RRset[]): RRset[] {
  const isAlias = ({ type }: RRset): boolean => type === TYPE.CNAME
  return [...rrsets.filter((rrset) => !isAlias(rrset)), ...rrsets.filter(isAlias)]
}

/** RFC 2181 §5: identical records of a set are one record. */
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
