/* The servers that are fuzzed in this process, and the report of a campaign. */
import { ANSWER_LIMIT_BYTES, HotPath } from '../../src/hot-path/index.ts'
import { HotAnswerer, type Sender } from '../../src/server/datagram-answerer.ts'
import { HotCookies } from '../../src/server/hot-cookies.ts'
import { createResponder, SharedCounters } from '../../src/server/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { Zones } from '../../src/zone/index.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import type { Subject } from './campaign.ts'
import { faultOf, type Transport } from './judge.ts'
import { fuzzZones } from './zone.ts'

/** A name in the fuzzed zones that has an address. */
export const HONEST_NAME = 'alice.home.test'

const CLIENT = '192.0.2.77'
// A fixed clock, so that a seed with a valid cookie stays valid.
const OPTIONS = {
  cookieSecrets: [Buffer.alloc(16, 7)],
  nowSeconds: () => 1_800_000_000,
  identity: 'fuzzed',
  version: 'any',
  tcpIdleMs: () => 15_000,
}
// An internal fault ends the campaign instead of producing an answer.
const EVENTS = {
  ...SILENT_EVENTS,
  failed(error: unknown) {
    throw error
  },
}

/** The whole pipeline, as a transport calls it. */
export function pipelineFor(transport: Transport): Subject {
  const respond = createResponder(servedZones(new ZoneTable()), EVENTS, OPTIONS)
  return {
    answer: (packet) => respond(packet, transport, CLIENT),
    judge: (packet, answer) => faultOf(packet, answer, transport),
  }
}

/** The pipeline over UDP, and the hot path with its cookies, which must give the same response or none. */
export function bothWays(): Subject {
  const table = new ZoneTable()
  const respond = createResponder(servedZones(table), EVENTS, OPTIONS)
  const answerer = new HotAnswerer({
    reader: table.reader,
    hot: new HotPath(table.reader),
    counters: new SharedCounters(1).row(0),
    respond: () => undefined,
    failed: (error) => EVENTS.failed(error),
    cookies: new HotCookies(OPTIONS.cookieSecrets, OPTIONS.nowSeconds),
  })
  const sender: Sender = { address: CLIENT, readTo: (client) => client.readText(CLIENT) }
  const out = Buffer.alloc(ANSWER_LIMIT_BYTES)
  const hotFault = (packet: Buffer, answer: Buffer | undefined): string | undefined => {
    const bytes = answerer.answer(packet, packet.length, sender, out)
    if (bytes === 0) return undefined
    return answer?.equals(out.subarray(0, bytes)) === true ? undefined : 'another hot answer'
  }
  return {
    answer: (packet) => respond(packet, 'udp', CLIENT),
    judge: (packet, answer) => faultOf(packet, answer, 'udp') ?? hotFault(packet, answer),
  }
}

function servedZones(table: ZoneTable): Zones {
  const zones = new Zones(table)
  for (const zone of fuzzZones(table)) zones.set(zone)
  return zones
}

/** Figures of a campaign as one line. */
export function told(what: string, figures: object, ms: number): void {
  const texts = Object.entries(figures).map(([name, value]) => `${name} ${textOf(value)}`)
  process.stdout.write(`${what}: ${texts.join(', ')}, ${(ms / 1000).toFixed(1)} s\n`)
}

function textOf(figure: unknown): string {
  if (Array.isArray(figure)) return String(figure.length)
  return typeof figure === 'number' ? String(Math.round(figure * 10) / 10) : String(figure)
}
