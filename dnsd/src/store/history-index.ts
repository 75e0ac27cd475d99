import { nextSerial } from '../names/index.ts'
import type { SoaParameters, ZoneVersion } from '../zone/index.ts'
import type { ChangeSet } from './change-set.ts'
import type { EntryHead } from './disk/entry.ts'

/** The position of an entry: its log and the offset in it. */
export interface LogPlace {
  readonly generation: number
  readonly atBytes: number
}

/** A change set whose position is stored. The sets after it, up to the next checkpoint, are found by reading on. */
export interface Checkpoint extends LogPlace {
  readonly serial: bigint
}

// The maximum distance between a checkpoint of a zone and the zone's sets up to the next one. Any set is therefore
// found quickly, however much other zones change. A busy zone costs about 100 octets of memory for this much log.
export const STRIDE_BYTES = 64 * 1024

/** The feed serial before this one; see `nextSerial`. */
export function serialBefore(serial: bigint): bigint {
  return nextSerial(serial - 2n) === serial ? serial - 2n : serial - 1n
}

/** The unbroken chain of change sets that the logs have for one zone. */
class ZoneChain {
  readonly checkpoints: Checkpoint[] = []
  /** The other SOA fields, valid from that serial on. */
  readonly #soas: { readonly serial: bigint; readonly soa: SoaParameters }[] = []
  #lastToken: string | undefined
  #lastSerial = 0n
  /** Serials up to this one once meant other contents, which secondaries may still have. */
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

  // A restored database reuses serials for other contents. A secondary that has one of the earlier versions does not
  // have the contents that later differences start from.
  #breakOff(serial: bigint, token: string): void {
    const isAgain = serial <= this.#lastSerial && token !== this.#lastToken
    if (isAgain) this.#otherUpTo = this.#lastSerial
    this.checkpoints.length = 0
    this.#soas.length = 0
  }

  /** Whether a secondary with that serial must have exactly the contents that this chain describes. */
  isSure(serial: bigint): boolean {
    return serial > this.#otherUpTo
  }

  /** @returns undefined when unknown */
  soaAt(serial: bigint, present: SoaParameters): SoaParameters | undefined {
    const known = this.#soas.findLast((one) => one.serial <= serial)
    // No change since then was recorded, so the present value applies.
    return known?.soa ?? (this.#soas.length === 0 ? present : undefined)
  }

  forgetBefore(generation: number): void {
    const kept = this.checkpoints.findIndex((each) => each.generation >= generation)
    this.checkpoints.splice(0, kept === -1 ? Infinity : kept)
  }

  /** Whether the chain extends to that version or further. */
  reaches({ serial }: ZoneVersion): boolean {
    return this.#lastSerial >= serial
  }
}

/** The positions of each zone's change sets in the logs. */
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

  /** Forgets deleted logs, which are all before this generation. */
  forgetBefore(generation: number): void {
    for (const chain of this.#chains.values()) chain.forgetBefore(generation)
  }

  /**
   * The checkpoints for reading the sets after version `from` up to `present`.
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

  /** The other SOA fields at a version; undefined when the logs do not have them. */
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
