/* The hot path and the full pipeline over the same zones. */
import { expect } from 'vitest'
import { ANSWER_LIMIT_BYTES, HotPath } from '../../src/hot-path/index.ts'
import { createResponder } from '../../src/server/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import {
  type OwnerState,
  OwnerStateError,
  type SoaParameters,
  Zone,
  Zones,
} from '../../src/zone/index.ts'
import { SILENT_EVENTS } from './events.ts'
import { CHILD, ORIGIN } from './varied-zones.ts'

export const SOA: SoaParameters = {
  mname: ORIGIN,
  rname: ORIGIN,
  refreshSeconds: 1,
  retrySeconds: 1,
  expireSeconds: 1,
  minimumSeconds: 1,
  ttlSeconds: 1,
}

/**
 * Two zones in one table, with the hot path and the full pipeline over it. The hot path reads the table as another
 * thread does.
 *
 * @param incomplete whether each of the zones has lost changes
 */
export function serverOf(
  soas: { readonly home: SoaParameters; readonly child: SoaParameters },
  incomplete = { home: false, child: false },
) {
  const table = new ZoneTable()
  const zones = new Zones(table)
  const version = (serial: bigint) => ({ serial, feedId: 'feed', token: String(serial) })
  const home = new Zone(ORIGIN, version(1n), soas.home, table)
  const child = new Zone(CHILD, version(1n), soas.child, table)
  if (incomplete.home) home.markIncomplete()
  if (incomplete.child) child.markIncomplete()
  zones.set(home)
  zones.set(child)
  const respond = createResponder(zones, SILENT_EVENTS)
  const hot = new HotPath(table.reader)
  const apply = (zone: Zone, states: readonly OwnerState[]) => {
    for (const state of states) {
      try {
        zone.apply([state], version(zone.version.serial + 1n))
      } catch (error) {
        // An alias at the apex, for example, is refused and leaves the zone unchanged.
        if (!(error instanceof OwnerStateError)) throw error
      }
    }
  }
  return { table, home, child, respond, hot, apply }
}

const OUTSIDE = 0xee

/** The packet in a reused buffer, between octets of other packets. */
export function inUsedRoom(packet: Buffer): Uint8Array {
  const room = new Uint8Array(packet.length + 600).fill(3)
  room.set(packet, 300)
  return room.subarray(300)
}

/**
 * The answer of the hot path, or undefined if it leaves the packet to the pipeline.
 *
 * @param slot of the packet in a batch
 */
export function answerHot(hot: HotPath, packet: Buffer, slot?: number): Buffer | undefined {
  const out = new Uint8Array(ANSWER_LIMIT_BYTES + 8).fill(OUTSIDE)
  const bytes = hot.answer(inUsedRoom(packet), packet.length, out.subarray(4, -4), slot)
  const rim = [...out.subarray(0, 4), ...out.subarray(-4)]
  expect(rim.every((octet) => octet === OUTSIDE)).toBe(true)
  return bytes === 0 ? undefined : Buffer.from(out.subarray(4, 4 + bytes))
}
