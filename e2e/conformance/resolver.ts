/**
 * dnsd as a resolver sees it: Unbound resolves homing.test from the root, with 0x20 case
 * randomisation, QNAME minimisation and TCP where necessary. A second Unbound does the same with Knot.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { askAll } from './dig-likes.ts'
import type { Pair } from './pair.ts'
import { type PrintedAnswer, readPrintedAnswer } from './printed-answer.ts'
import { QUESTIONS } from './questions.ts'
import { ROOT_HINTS, type World, ZONE, ZONE_FILE } from './world.ts'
import { eventually, temporaryDataDir } from '../support/stack.ts'
import { startUnbound, type Unbound } from '../support/unbound.ts'

const WORLD = needs('root', 'ip', 'nsenter', 'knotd', 'dig', 'unbound')

// The servers of these delegations do not exist here, so resolvers answer SERVFAIL. They also do so for a CNAME loop.
const WITHOUT_END = /^(?:.+\.)?(?:sub|far|secure|towards|loop)\.homing\.test\.$/i
/** The answer without TTLs, which count down in the cache, and without letter case, which Unbound randomises. */
function meaningOf({ rcode, sections }: PrintedAnswer) {
  const meaning = (line: string) => line.toLowerCase().replace(/^(\S+) \d+ in /, '$1 in ')
  const all = Object.entries(sections).map(([name, lines]) => [name, lines.map(meaning).sort()])
  return { rcode, ...Object.fromEntries(all) }
}

/** @param both the test networks; the last test changes the zone of dnsd */
export function testResolver(both: () => Pair): void {
  describe('Unbound', WORLD, () => {
    const folder = temporaryDataDir()
    let pair: Pair
    let besideDnsd: Unbound
    let besideKnot: Unbound

    beforeAll(async () => {
      pair = both()
      const start = ({ client }: World, name: string) =>
        startUnbound({
          namespace: client,
          folder: join(folder.path, name),
          rootHints: ROOT_HINTS,
          topLevel: 'test',
        })
      besideDnsd = await start(pair.dnsd, 'dnsd')
      besideKnot = await start(pair.knot, 'knot')
    })
    afterAll(async () => {
      await Promise.all([besideDnsd?.stop(), besideKnot?.stop()])
      folder.remove()
    })

    /** Queries the Unbound that uses dnsd. */
    async function byDnsd(name: string, type: string): Promise<PrintedAnswer> {
      const words = [`@${besideDnsd.address}`, '+time=8', '+tries=1', '+noad', '+tcp']
      return readPrintedAnswer(await pair.dnsd.client.run('dig', ...words, `${name}.${ZONE}`, type))
    }

    test('Unbound gets the same answers from dnsd as from Knot, and no SERVFAIL', async () => {
      const questions = QUESTIONS.filter(
        ({ name, type, class: qclass }) =>
          qclass === undefined &&
          // The server chooses the RRset of the answer (RFC 8482 §4.1).
          type !== 'ANY' &&
          /homing\.test\.$/i.test(name) &&
          !WITHOUT_END.test(name),
      )
      const manner = { over: 'tcp', ednsOctets: 1232, recursion: true } as const
      const [dnsd, knot] = await Promise.all([
        askAll(pair.dnsd.client, 'dig', besideDnsd.address, questions, manner),
        askAll(pair.knot.client, 'dig', besideKnot.address, questions, manner),
      ])
      const { 'num.answer.rcode.SERVFAIL': failures = 0, 'num.query.tcpout': overTcp = 0 } =
        await besideDnsd.counters()
      process.stdout.write(
        `unbound: ${questions.length} questions, ${failures} SERVFAIL, ${overTcp} times over TCP\n`,
      )
      expect(dnsd.map(meaningOf)).toEqual(knot.map(meaningOf))
      expect(failures).toBe(0)
      // The records of `large` exceed a datagram.
      expect(overTcp).toBeGreaterThan(0)
      // If an answer changed the letter case, Unbound would query all servers and compare.
      const ofLetters = besideDnsd.log().match(/good 0x20|wrong 0x20|capsforid/gi) ?? []
      expect([...new Set(ofLetters)]).toEqual(['good 0x20'])
    })

    test('negative answers are cached for the time that the zone defines', async () => {
      const { rcode, sections } = await byDnsd('never-asked', 'A')
      const [, ttl = '0'] =
        /^homing\.test\. (\d+) IN SOA /.exec(sections['AUTHORITY']?.[0] ?? '') ?? []
      expect(rcode).toBe('NXDOMAIN')
      // The zone's MINIMUM, which is less than the TTL of its SOA record (RFC 2308 §5).
      expect(Number(ttl)).toBeLessThanOrEqual(900)
      expect(Number(ttl)).toBeGreaterThan(600)
      const before = await besideDnsd.counters()
      expect((await byDnsd('never-asked', 'A')).rcode).toBe('NXDOMAIN')
      const after = await besideDnsd.counters()
      expect(after['total.num.cachehits']).toBe((before['total.num.cachehits'] ?? 0) + 1)
    })

    test('a new address appears when the TTL of the old one has expired', async () => {
      const addresses = async () => (await byDnsd('fleeting', 'A')).sections['ANSWER'] ?? []
      expect(await addresses()).toEqual([`fleeting.${ZONE}. 1 IN A 192.0.2.21`])
      const changed = join(folder.path, 'changed.zone')
      const text = readFileSync(ZONE_FILE, 'utf8').replace('192.0.2.21', '192.0.2.121')
      writeFileSync(changed, `${text}just-made A 192.0.2.122\n`)
      await pair.importZone(changed)
      await eventually(addresses, (lines) => lines.some((line) => line.endsWith(' 192.0.2.121')))
      const { sections } = await byDnsd('just-made', 'A')
      expect(sections['ANSWER']).toEqual([`just-made.${ZONE}. 3600 IN A 192.0.2.122`])
      expect((await besideDnsd.counters())['num.answer.rcode.SERVFAIL'] ?? 0).toBe(0)
    })
  })
}
