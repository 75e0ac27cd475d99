/* What is fuzzed in this process, and how a campaign's figures are told. */
import { createResponder } from '../../src/server/index.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { zonesOf } from '../support/zone-text.ts'
import type { Answerer } from './campaign.ts'
import type { Transport } from './judge.ts'
import { fuzzZone } from './zone.ts'

/** A name in the fuzzed zone that has an address. */
export const HONEST_NAME = 'alice.home.test'

const CLIENT = '192.0.2.77'
// A clock that stands, so that a seed with a valid cookie stays one.
const OPTIONS = {
  cookieSecrets: [Buffer.alloc(16, 7)],
  nowSeconds: () => 1_800_000_000,
  identity: 'fuzzed',
  version: 'any',
}

/** The whole pipeline, as a transport calls it. A fault inside is thrown instead of answered. */
export function pipelineFor(transport: Transport): Answerer {
  const events = {
    ...SILENT_EVENTS,
    failed(error: unknown) {
      throw error
    },
  }
  const respond = createResponder(zonesOf(fuzzZone()), events, OPTIONS)
  return (packet) => respond(packet, transport, CLIENT)
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
