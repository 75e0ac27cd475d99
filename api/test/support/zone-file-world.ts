/** Imports and exports of zone files. Each test has its own database. */
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

/** The beginning of a zone file with name servers outside the zone. */
export const HEAD = `$TTL 300
@ IN SOA ns.elsewhere.test. admin.elsewhere.test. 2026010101 7200 900 1209600 120
@ NS ns.elsewhere.test.
@ NS ns1
ns1 A 192.0.2.77
`

/** A record of each type that zones can contain. */
export const EVERY_TYPE = `${HEAD}
@ MX 10 mail
@ TXT "v=spf1 -all" "back\\\\slash" "quote\\"d"
@ CAA 0 issue "ca.test"
a 60 A 192.0.2.1
a 60 A 192.0.2.2
a 60 AAAA 2001:DB8::1
*.wild 60 A 192.0.2.3
alias CNAME a
_sip._tcp SRV 10 5 5060 a
_443._tcp.a TLSA 3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
a SSHFP 1 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
svc HTTPS 1 . alpn="h2,h3"
svc SVCB 1 a port=8443
ptr PTR a
naptr NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@homing.test!" .
tree DNAME elsewhere.test.
sub NS ns.sub
sub DS 1 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
ns.sub A 192.0.2.4
odd\\.dot A 192.0.2.5
odd\\032space TXT "x"
UPPER A 192.0.2.6
priv TYPE65280 \\# 2 ABCD
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

  /** `line: message` for each problem of a refused file. */
  async problemsOf(text: string): Promise<string[]> {
    const error: unknown = await this.load(text).catch((caught: unknown) => caught)
    if (!(error instanceof ZoneFileRefused)) throw error
    return error.problems.map(({ line, message }) => `${line}: ${message}`)
  }

  async expectFeedEqualsTables(zone = 'homing.test'): Promise<void> {
    await expectFeedEqualsTables(this.knex, zone)
  }
}

/** The world of each test of a file. It is open inside tests. */
export function useZoneFileWorld(): ZoneFileWorld {
  const opened = new ZoneFileWorld()
  beforeEach(async () => {
    opened.feed = await openFeedWorld()
  })
  afterEach(() => opened.feed.end())
  return opened
}
