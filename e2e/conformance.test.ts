/**
 * Third-party tools test dnsd, and a Knot that serves the same zone: Zonemaster, DNSViz, ISC's
 * compliance queries, and the output of dig, kdig and drill.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { compare, DELIBERATE_DIFFERENCES } from './conformance/deliberate-differences.ts'
import { askAll, type DigLike, type Manner } from './conformance/dig-likes.ts'
import { runDnsviz } from './conformance/dnsviz.ts'
import { COMPLIANCE_QUESTIONS, TYPES_ASKED, verdictsOn } from './conformance/edns-compliance.ts'
import { type Pair, startPair } from './conformance/pair.ts'
import { QUESTIONS } from './conformance/questions.ts'
import { testResolver } from './conformance/resolver.ts'
import { NAME_SERVERS, NS1, ZONE, ZONE_ADDRESSES } from './conformance/world.ts'
import { lineOf, runZonemaster, SERIOUS_LEVELS } from './conformance/zonemaster.ts'
import { temporaryDataDir } from './support/stack.ts'

const WORLD = ['root', 'ip', 'nsenter', 'knotd', 'dig'] as const
const folder = temporaryDataDir()
let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
afterAll(async () => {
  await pair?.close()
  folder.remove()
})

const tell = (line: string) => process.stdout.write(`${line}\n`)

/** Runs the same test for both servers in parallel. */
function ofBoth<T>(judge: (world: Pair['dnsd']) => Promise<T>): Promise<[T, T]> {
  return Promise.all([judge(pair.dnsd), judge(pair.knot)])
}

test(
  'Zonemaster says nothing of dnsd that it does not say of Knot',
  needs(...WORLD, 'zonemaster-cli'),
  async () => {
    const [dnsd, knot] = await ofBoth(({ client }) => runZonemaster(client, folder.path))
    // Make sure that test cases ran: empty results would also be equal.
    const cases = new Set(dnsd.map(({ testcase }) => testcase))
    for (const each of ['BASIC02', 'CONSISTENCY01', 'DELEGATION04', 'NAMESERVER02', 'ZONE10']) {
      expect(cases).toContain(each)
    }
    const ofKnot = new Set(knot.map(lineOf))
    const serious = dnsd.filter(({ level }) => SERIOUS_LEVELS.some((one) => one === level))
    expect(serious.map(lineOf).filter((line) => !ofKnot.has(line))).toEqual([])
    // The remaining findings are about the test network's addresses and the missing DNSSEC signatures.
    const tags = new Set(serious.map(({ level, tag }) => `${level} ${tag}`))
    const testcases = `${cases.size} test cases, ${dnsd.length} messages`
    tell(`zonemaster: ${testcases}; of both worlds: ${[...tags].join(', ')}`)
    expect([...tags].sort()).toEqual([
      'ERROR NAMESERVER_IP_PRIVATE_NETWORK',
      'NOTICE NEITHER_DNSKEY_NOR_DS',
      'NOTICE NOT_SIGNED',
      'WARNING NAMESERVER_IP_WITHOUT_REVERSE',
    ])
  },
)

test('DNSViz reports no error or warning', needs(...WORLD, 'dnsviz'), async () => {
  const { complaints, servers } = await runDnsviz(pair.dnsd.client, folder.path)
  expect(servers).toEqual(new Set(ZONE_ADDRESSES))
  expect(complaints).toEqual([])
})

describe('the questions of ISC’s compliance tester', () => {
  test('versions, options, flags, opcodes and sizes', needs(...WORLD), async () => {
    const [dnsd, knot] = await ofBoth(({ client }) => verdictsOn(client, NS1, COMPLIANCE_QUESTIONS))
    const failedOf = (verdicts: typeof dnsd) =>
      COMPLIANCE_QUESTIONS.flatMap(({ name }, at) => {
        const wrong = verdicts[at] ?? []
        return wrong.length === 0 ? [] : `${name}: ${wrong.join(', ')}`
      })
    const failed = failedOf(dnsd)
    const count = COMPLIANCE_QUESTIONS.length
    const ofKnot = failedOf(knot).join('; ') || 'nothing'
    tell(`compliance: dnsd ${count - failed.length} of ${count} ok; Knot fails ${ofKnot}`)
    expect(failed).toEqual([])
  })

  test('every type', needs(...WORLD), async () => {
    const questions = TYPES_ASKED.map((type) => ({ name: type, type, words: '+noedns' }))
    const verdicts = await verdictsOn(pair.dnsd.client, NS1, questions)
    expect(verdicts.map((wrong, at) => [TYPES_ASKED[at], wrong])).toEqual(
      TYPES_ASKED.map((type) => [type, []]),
    )
  })
})

describe('what is read in the answers', () => {
  const UDP: Manner = { over: 'udp' }
  const EDNS: Manner = { over: 'udp', ednsOctets: 1232 }
  const TCP: Manner = { over: 'tcp', ednsOctets: 4096 }
  const cases: readonly [DigLike, string, Manner, string][] = [
    ['dig', 'plain', UDP, NS1],
    ['dig', 'EDNS', EDNS, NS1],
    ['dig', 'EDNS with 512 octets', { over: 'udp', ednsOctets: 512 }, NS1],
    ['dig', 'EDNS with more than is given', { over: 'udp', ednsOctets: 4096 }, NS1],
    ['dig', 'TCP', { over: 'tcp' }, NS1],
    ['dig', 'TCP with EDNS', TCP, NS1],
    ['dig', 'IPv6', EDNS, NAME_SERVERS['ns2.homing.test'][1]],
    ['kdig', 'plain', UDP, NS1],
    ['kdig', 'EDNS', EDNS, NS1],
    ['kdig', 'TCP with EDNS', TCP, NS1],
    ['drill', 'plain', UDP, NS1],
    ['drill', 'EDNS', EDNS, NS1],
    ['drill', 'TCP with EDNS', TCP, NS1],
  ]
  const neededByAll = needs(...WORLD, 'kdig', 'drill')
  const seen = new Set<string>()

  test.each(cases)('by %s, %s: as Knot’s', neededByAll, async (program, manner, how, server) => {
    const [dnsd, knot] = await ofBoth(({ client }) =>
      askAll(client, program, server, QUESTIONS, how),
    )
    const comparisons = QUESTIONS.map((question, at) => {
      const [ours, theirs] = [dnsd[at], knot[at]]
      if (ours === undefined || theirs === undefined) throw new Error('an answer is missing')
      return { question, ours, ...compare(question, ours, theirs) }
    })
    expect(comparisons.flatMap(({ differing }) => differing)).toEqual([])
    expect(comparisons.flatMap(({ ours }) => ours.warnings)).toEqual([])
    const deliberate = comparisons.flatMap((one) => one.deliberate?.what ?? [])
    for (const what of deliberate) seen.add(what)
    tell(
      `${program}, ${manner}: ${QUESTIONS.length} answers, ${deliberate.length} differ on purpose`,
    )
  })

  test('each deliberate difference is there', neededByAll, () => {
    expect([...seen].sort()).toEqual(DELIBERATE_DIFFERENCES.map(({ what }) => what).sort())
  })

  test.each(['AXFR', 'IXFR'])('%s is refused', neededByAll, async (type) => {
    const { run } = pair.dnsd.client
    const words = type === 'IXFR' ? 'IXFR=1' : type
    expect(await run('dig', `@${NS1}`, ZONE, words, '+tcp')).toContain('Transfer failed')
    const byDrill = await run('sh', '-c', `drill @${NS1} ${ZONE} ${type} 2>&1 || true`)
    expect(byDrill).toContain('REFUSED')
    expect(byDrill).not.toContain('192.0.2.25')
  })
})

testResolver(() => pair)
