import { nextSerial } from '../names/index.ts'
import type { SoaParameters, ZoneVersion } from '../zone/index.ts'
import type { ChangeSet } from './change-set.ts'
import type { EntryHead } from './disk/entry.ts'

/** Where in which log an entry begins. */
export interface LogPlace {
  readonly generation: number
  readonly atBytes: number
}

/** A change set whose place is remembered; those behind it, up to the next one, are found by reading on. */
export interface Checkpoint extends LogPlace {
  readonly serial: bigint
}

// A zone's sets between two checkpoints are at most this far behind the first. So the way to any set is short,
// however much other zones change, and a busy zone costs about 100 octets of memory for so much log.
export const STRIDE_BYTES = 64 * 1024

/** The feed serial before this one; see `nextSerial`. */
export function serialBefore(serial: bigint): bigint {
  return nextSerial(serial - 2n) === serial ? serial - 2n : serial - 1n
}

/** What the logs have of one zone: an unbroken chain of change sets. */
class ZoneChain {
  readonly checkpoints: Checkpoint[] = []
  /** The SOA's other fields from that serial on. */
  readonly #soas: { readonly serial: bigint; readonly soa: SoaParameters }[] = []
  #lastToken: string | undefined
  #lastSerial = 0n
  /** Up to here serials stood for something else once, and secondaries may have that. */
  #otherUpTo = -1n

  begin({ serial, token }: ZoneVersion, soa: SoaParameters): void {
    this.#breakOff(serial, token)
    this.#soas.push({ serial, soa })
    this.#lastToken = token
    this.#lastSerial = serial
  }

  add({ version, previousToken, soa }: Omit<ChangeSet, 'changes'>, place: LogPlace): void {
    const { serial, token } = version
    if (previousToken !== this.#lastToken) this.#breakOff(serial, token)
    this.#lastToken = token
    this.#lastSerial = serial
    if (soa !== undefined) this.#soas.push({ serial, soa })
    const last = this.checkpoints.at(-1)
    const isNear =
      last?.generation === place.generation && place.atBytes - last.atBytes < STRIDE_BYTES
    if (!isNear) this.checkpoints.push({ serial, ...place })
  }

  // A database that was restored gives serials out again, for other contents: a secondary that has one of the earlier
  // ones does not have what the differences from there on begin with.
  #breakOff(serial: bigint, token: string): void {
    const isAgain = serial <= this.#lastSerial && token !== this.#lastToken
    if (isAgain) this.#otherUpTo = this.#lastSerial
    this.checkpoints.length = 0
    this.#soas.length = 0
  }

  /** Whether a secondary with that serial can have nothing but what this chain says of it. */
  isSure(serial: bigint): boolean {
    return serial > this.#otherUpTo
  }

  /** @returns undefined when that is not known */
  soaAt(serial: bigint, present: SoaParameters): SoaParameters | undefined {
    const known = this.#soas.findLast((one) => one.serial <= serial)
    // Nothing was noted to have changed since, so it is what it is now.
    return known?.soa ?? (this.#soas.length === 0 ? present : undefined)
  }

  forgetBefore(generation: number): void {
    const kept = this.checkpoints.findIndex((each) => each.generation >= generation)
    this.checkpoints.splice(0, kept === -1 ? Infinity : kept)
  }

  /** Whether the chain comes as far as that, or further. */
  reaches({ serial }: ZoneVersion): boolean {
    return this.#lastSerial >= serial
  }
}

/** Where in the logs the change sets of each zone are. */
export class HistoryIndex {
  readonly #chains = new Map<string, ZoneChain>()

  note(head: EntryHead, place: LogPlace): void {
    switch (head.kind) {
      case 'zone':
        this.#chainOf(head.zoneId).begin(head.version, head.soa)
        return
      case 'change-set':
        this.#chainOf(head.zoneId).add(head.set, place)
        return
      case 'zone-gone':
        this.#chains.delete(head.zoneId)
    }
  }

  forget(zoneId: string): void {
    this.#chains.delete(zoneId)
  }

  /** Logs before this one are gone. */
  forgetBefore(generation: number): void {
    for (const chain of this.#chains.values()) chain.forgetBefore(generation)
  }

  /**
   * The checkpoints from which the sets behind version `from` up to `present` are read.
   *
   * @returns undefined when the logs do not have all of them
   */
  path(zoneId: string, from: bigint, present: ZoneVersion): readonly Checkpoint[] | undefined {
    const chain = this.#chains.get(zoneId)
    if (chain?.reaches(present) !== true || !chain.isSure(from)) return undefined
    const wanted = nextSerial(from)
    const first = chain.checkpoints.findLastIndex(({ serial }) => serial <= wanted)
    if (first === -1) return undefined
    return chain.checkpoints.slice(first).filter(({ serial }) => serial <= present.serial)
  }

  /** The SOA's other fields at a version; undefined when the logs do not tell. */
  soaAt(zoneId: string, serial: bigint, present: SoaParameters): SoaParameters | undefined {
    return this.#chains.get(zoneId)?.soaAt(serial, present)
  }

  #chainOf(zoneId: string): ZoneChain {
    const known = this.#chains.get(zoneId)
    if (known !== undefined) return known
    const chain = new ZoneChain()
    this.#chains.set(zoneId, chain)
    return chain
  }
}
