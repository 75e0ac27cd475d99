/** Zone files that are imported and exported: what tests of them share. Each test has a database of its own. */
import { Readable } from 'node:stream'
import { afterEach, beforeEach } from 'vitest'
import { exportZone } from '../../src/feed/zone-file/export-zone.ts'
import { importZone } from '../../src/feed/zone-file/import-zone.ts'
import { ZoneFileRefused } from '../../src/feed/zone-file/problems.ts'
import {
  expectFeedEqualsTables,
  type FeedWorld,
  openFeedWorld,
  tableState,
  type ToldSet,
  toldSets,
  zoneId,
} from './feed-world.ts'

/** How a zone file begins whose name servers are somebody else's. */
export const HEAD = `$TTL 300
@ IN SOA ns.elsewhere.test. admin.elsewhere.test. 2026010101 7200 900 1209600 120
@ NS ns.elsewhere.test.
@ NS ns1
ns1 A 192.0.2.77
`

export const inChunks = (text: string) =>
  Readable.from(text.match(/.{1,50}/gs) ?? []).map((s) => Buffer.from(String(s)))

export class ZoneFileWorld {
  feed!: FeedWorld

  get knex(): FeedWorld['knex'] {
    return this.feed.knex
  }

  async load(text: string, zone = 'homing.test', onBatch?: () => unknown) {
    const source = inChunks(text)
    return importZone({ databaseUrl: this.feed.url, zone, source, ...(onBatch && { onBatch }) })
  }

  /** The lines of the zone's file. */
  async exported(zone = 'homing.test', url = this.feed.url): Promise<string[]> {
    let text = ''
    for await (const piece of exportZone(url, zone)) text += piece
    return text.trimEnd().split('\n')
  }

  async state(zone = 'homing.test'): Promise<Record<string, unknown>> {
    return tableState(this.knex, await zoneId(this.knex, zone))
  }

  async sets(zone = 'homing.test'): Promise<ToldSet[]> {
    return toldSets(this.knex, await zoneId(this.knex, zone))
  }

  /** `line: message` of each problem of a file that is refused. */
  async problemsOf(text: string): Promise<string[]> {
    const error: unknown = await this.load(text).catch((caught: unknown) => caught)
    if (!(error instanceof ZoneFileRefused)) throw error
    return error.problems.map(({ line, message }) => `${line}: ${message}`)
  }

  async expectFeedEqualsTables(zone = 'homing.test'): Promise<void> {
    await expectFeedEqualsTables(this.knex, zone)
  }
}

/** The world of each test of a file; it is there inside tests. */
export function useZoneFileWorld(): ZoneFileWorld {
  const opened = new ZoneFileWorld()
  beforeEach(async () => {
    opened.feed = await openFeedWorld()
  })
  afterEach(() => opened.feed.end())
  return opened
}
