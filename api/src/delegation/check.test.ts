/** Walks over real sockets: what each fault of a server or of a delegation does to the facts. */
import type { DelegationFact, DelegationFactName } from '@homing/openapi'
import { ask, NoAnswer, ServerFailure } from '@homing/dnsd/client'
import { describe, expect, it } from 'vitest'
import { startDnsServer } from '../../../test/dns-tree/dns-server.ts'
import type { TextRecord } from '../../../test/dns-tree/message.ts'
import { answerFrom, soaOf } from '../../../test/dns-tree/zone-answers.ts'
import {
  AT,
  dead,
  DOMAIN,
  ELSEWHERE,
  EXPECTED,
  type Fault,
  hosterZones,
  ours,
  parentZone,
  RIGHT,
  useTestTree,
} from './test-tree.ts'

const tree = useTestTree()
/** A check ends itself after five seconds; a slow and busy machine needs longer to notice. */
const LIMIT_MS = 15_000

/** The facts that are not right. */
const notRight = ({ facts }: { readonly facts: readonly DelegationFact[] }) =>
  Object.fromEntries(
    facts.filter(({ state }) => state !== 'right').map(({ fact, state }) => [fact, state]),
  )
const messageOf = (
  { facts }: { readonly facts: readonly DelegationFact[] },
  name: DelegationFactName,
) => facts.find(({ fact }) => fact === name)?.message

const UNDELEGATED = {
  delegated: 'wrong',
  names: 'unknown',
  glue: 'unknown',
  ipv4: 'unknown',
  ipv6: 'unknown',
  'no-ds': 'unknown',
}
const DS: TextRecord = [DOMAIN, 'DS', `\\# 36 303913 02${'ab'.repeat(32)}`]

describe('a right delegation', () => {
  it('has seven right facts, and lists each server of the parent zone', async () => {
    const { check, ...ownership } = await tree.check()
    expect(notRight(check)).toEqual({})
    expect(check).toMatchObject({ is_right: true, parent_zone: 'test' })
    expect(check.facts).toHaveLength(7)
    const says = {
      transport: 'udp',
      outcome: 'delegates',
      nameservers: ['ns1.example.test', 'ns2.example.test'],
      glue: [`ns1.example.test ${AT.ns1}`, `ns2.example.test ${AT.ns2}`],
      has_ds: false,
      message: 'Delegates to ns1.example.test and ns2.example.test.',
    }
    expect(check.parent_servers).toEqual([
      { server: 'a.nic.test', address: AT.parentA, ...says },
      { server: 'b.nic.test', address: AT.parentB, ...says },
    ])
    expect(ownership).toEqual({
      isDelegatedToUs: true,
      parentNs: ['ns1.example.test', 'ns2.example.test'],
      txt: undefined,
    })
  })

  it('is asked without recursion, over UDP and TCP at our servers', async () => {
    await tree.check()
    const asked = tree.asked('ns1').map(({ transport, type }) => `${transport} ${type}`)
    expect(new Set(asked)).toEqual(new Set(['udp SOA', 'tcp SOA']))
  })

  it('is walked again each time', async () => {
    await tree.check()
    tree.delegate([])
    expect(notRight((await tree.check()).check)).toEqual(UNDELEGATED)
  })
})

describe('a server that fails', () => {
  it('dead: the check ends in time, lists the server, and is right', async () => {
    tree.fault('parentB', dead)
    const begun = performance.now()
    const { check } = await tree.check()
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
    expect(check.is_right).toBe(true)
    expect(check.parent_servers[1]).toMatchObject({
      server: 'b.nic.test',
      outcome: 'no-answer',
      transport: null,
      message: 'The server did not answer in time.',
    })
  })

  it('dead root server: another one is asked', async () => {
    tree.fault('rootA', dead)
    expect((await tree.check()).check.is_right).toBe(true)
  })

  it('all servers of the parent zone dead: nothing is known of it', async () => {
    tree.fault('parentA', dead)
    tree.fault('parentB', dead)
    const { check, isDelegatedToUs, txt } = await tree.check()
    expect(notRight(check)).toEqual({ ...UNDELEGATED, delegated: 'unknown' })
    expect(messageOf(check, 'delegated')).toMatch(/^No server of test answered for it\./)
    expect([isDelegatedToUs, txt]).toEqual([undefined, undefined])
  })

  it('dead roots: the zone above is not found', async () => {
    tree.fault('rootA', dead)
    tree.fault('rootB', dead)
    const { check, isDelegatedToUs } = await tree.check()
    expect(check.parent_zone).toBeNull()
    expect(messageOf(check, 'delegated')).toBe(
      'The parent zone of example.test was not found. No name server of the root zone answered. Expected an answer. Check again in a few minutes.',
    )
    expect([check.is_right, isDelegatedToUs]).toEqual([false, undefined])
  })

  it.each<[string, Fault, string]>([
    [
      'refuses',
      () => ({ rcode: 'REFUSED' }),
      'The server answered REFUSED: it does not serve test.',
    ],
    [
      'refers upwards',
      () => ({ authorities: [['', 'NS', 'root.invalid.']] }),
      'The server referred to a zone above: it does not serve test.',
    ],
    [
      'refers to itself',
      () => ({ authorities: [['test', 'NS', 'b.nic.test.']] }),
      'The server referred to a zone above: it does not serve test.',
    ],
    [
      'answers from a cache',
      () => ({ answers: RIGHT.slice(0, 1) }),
      'The server answered from a cache, not for the zone: it does not serve test.',
    ],
    [
      'answers nothing without authority',
      () => ({}),
      'The server answered without authority: it does not serve test.',
    ],
  ])('lame: a server that %s is listed, and makes nothing wrong', async (_what, fault, message) => {
    tree.fault('parentB', fault)
    const { check } = await tree.check()
    expect(check.is_right).toBe(true)
    expect(check.parent_servers[1]).toMatchObject({ outcome: 'lame', message })
  })

  it.each<[string, Fault]>([
    ['octets that are not DNS', () => Buffer.from('hello')],
    [
      'an answer that ends early',
      ({ id, question }) => {
        const header = Buffer.from([id >> 8, id & 255, 0x84, 0, 0, 1, 0, 9, 0, 0, 0, 0])
        return Buffer.concat([header, question])
      },
    ],
    [
      'the answer too late',
      async (_query, right) => {
        await new Promise((resolve) => setTimeout(resolve, 3_000).unref())
        return right
      },
    ],
    [
      'TC over UDP, and silence over TCP',
      ({ transport }) => (transport === 'udp' ? { isTruncated: true } : undefined),
    ],
  ])('a server that sends %s has not answered', async (_what, fault) => {
    tree.fault('parentB', fault)
    const begun = performance.now()
    const { check } = await tree.check()
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
    expect(check.parent_servers[1]?.outcome).toBe('no-answer')
    expect(check.is_right).toBe(true)
  })

  it('a truncated referral is asked for over TCP', async () => {
    const overTcp: Fault = ({ transport }, right) =>
      transport === 'udp' ? { ...right, isTruncated: true, additionals: [] } : right
    tree.fault('parentA', overTcp)
    tree.fault('parentB', overTcp)
    const { check } = await tree.check()
    expect(check.is_right).toBe(true)
    expect(check.parent_servers.map(({ transport }) => transport)).toEqual(['tcp', 'tcp'])
  })

  it('glue that is left out of a datagram without TC is found over TCP', async () => {
    const withoutGlue: Fault = ({ transport, name }, right) =>
      transport === 'udp' && name === DOMAIN ? { ...right, additionals: [] } : right
    tree.fault('parentA', withoutGlue)
    tree.fault('parentB', withoutGlue)
    expect((await tree.check()).check.is_right).toBe(true)
  })
})

describe('IPv6', () => {
  const withIpv6 = [{ hostname: `ns1.${DOMAIN}`, ipv4: AT.ns1, ipv6: '::1' }, ...EXPECTED.slice(1)]
  const SILENT_V6: TextRecord = ['b.nic.test', 'AAAA', '100::53']
  /** A machine whose packets to IPv6 addresses are lost, or that has no route there. */
  const lost =
    (isLost: (address: string) => boolean, code?: string): typeof ask =>
    async (question, servers, options) => {
      const [server] = servers
      if (server === undefined || !isLost(server.address)) return ask(question, servers, options)
      const cause = Object.assign(new Error('lost'), { code })
      const reason = code === undefined ? 'timeout' : 'unreachable'
      throw new NoAnswer([new ServerFailure(server, reason, 'lost', cause)])
    }
  const isIpv6 = (address: string) => address.includes(':')

  it.each([undefined, 'ENETUNREACH'])('a machine without it (%s) blames nobody', async (code) => {
    tree.delegate([...RIGHT, [`ns1.${DOMAIN}`, 'AAAA', '::1']])
    tree.fault('rootA', (_query, right) => ({
      ...right,
      additionals: [...(right.additionals ?? []), SILENT_V6],
    }))
    tree.fault('rootB', dead)
    const { check } = await tree.check({ nameservers: withIpv6 }, { ask: lost(isIpv6, code) })
    expect(notRight(check)).toEqual({})
    expect(check.parent_servers.map(({ address }) => address)).toEqual([AT.parentA, AT.parentB])
  })

  it('silence counts when another server answers over it', async () => {
    tree.delegate([
      ...RIGHT,
      [`ns1.${DOMAIN}`, 'AAAA', '::1'],
      [`ns2.${DOMAIN}`, 'AAAA', '100::53'],
    ])
    const nameservers = [withIpv6[0] ?? EXPECTED[0], { ...EXPECTED[1], ipv6: '100::53' }].map(
      (each) => ({ hostname: '', ipv4: '', ...each }),
    )
    const ns1 = await startDnsServer('::1', tree.rules().portOf('::1'), (query) =>
      answerFrom(ours(), query),
    )
    const { check } = await tree.check({ nameservers }, { ask: lost((each) => each === '100::53') })
    await ns1.close()
    expect(notRight(check)).toEqual({ authoritative: 'wrong' })
    expect(messageOf(check, 'authoritative')).toContain(`ns2.${DOMAIN} 100::53 (UDP)`)
  })
})

describe('a wrong delegation', () => {
  it('a domain that does not exist', async () => {
    tree.delegate([])
    const { check, isDelegatedToUs, parentNs } = await tree.check()
    expect(notRight(check)).toEqual(UNDELEGATED)
    expect(check.parent_servers[0]).toMatchObject({
      outcome: 'does-not-delegate',
      message: 'The server answered that it does not exist.',
    })
    expect([isDelegatedToUs, parentNs]).toEqual([false, []])
  })

  it.each<[string, readonly TextRecord[], string]>([
    [
      'a CNAME record',
      [[DOMAIN, 'CNAME', 'ns.hoster.test.']],
      'The server has a CNAME record to ns.hoster.test there instead.',
    ],
    [
      'a wildcard with addresses',
      [['*.test', 'A', '192.0.2.1']],
      'The server answered that it has no NS records.',
    ],
    [
      'a wildcard with a CNAME record',
      [['*.test', 'CNAME', 'ns.hoster.test.']],
      'The server has a CNAME record to ns.hoster.test there instead.',
    ],
    [
      'other records',
      [[DOMAIN, 'TXT', '"here"']],
      'The server answered that it has no NS records.',
    ],
  ])('%s is not a delegation', async (_what, records, message) => {
    tree.delegate(records)
    const { check } = await tree.check()
    expect(notRight(check)).toEqual(UNDELEGATED)
    expect(check.parent_servers[0]).toMatchObject({ outcome: 'does-not-delegate', message })
  })

  it('a wildcard NS record is not a delegation, though it has the right names', async () => {
    const synthesized: Fault = ({ name, type }, right) => {
      if (name !== DOMAIN) return right
      const isAuthoritative = true
      return type === 'NS'
        ? { isAuthoritative, answers: RIGHT.filter(([owner]) => owner === DOMAIN) }
        : { isAuthoritative, authorities: [soaOf('test')] }
    }
    tree.fault('parentA', synthesized)
    tree.fault('parentB', synthesized)
    const { check } = await tree.check()
    expect(notRight(check)).toEqual(UNDELEGATED)
    expect(check.parent_servers[0]?.message).toContain('from a wildcard')
  })

  it('is wrong when one server of the parent zone says so', async () => {
    tree.serve('parentB', parentZone([...RIGHT.slice(0, 2), ...ELSEWHERE]))
    const { check, isDelegatedToUs, parentNs } = await tree.check()
    expect(notRight(check)).toEqual({
      names: 'wrong',
      glue: 'unknown',
      ipv4: 'unknown',
      ipv6: 'unknown',
    })
    expect(messageOf(check, 'names')).toBe(
      `test, at b.nic.test ${AT.parentB}, names ns.hoster.test and ns1.example.test. Expected ns1.example.test and ns2.example.test and no others. If you have just changed this, wait until all servers of the registry have the change.`,
    )
    expect([isDelegatedToUs, parentNs]).toEqual([true, ['ns1.example.test']])
  })

  it('a DS record at the parent zone', async () => {
    tree.serve('parentB', parentZone([...RIGHT, DS]))
    const { check } = await tree.check()
    expect(notRight(check)).toEqual({ 'no-ds': 'wrong' })
    expect(check.parent_servers.map(({ has_ds }) => has_ds)).toEqual([false, true])
  })

  it('glue with another address, or none', async () => {
    tree.delegate(
      RIGHT.map(([owner, type, data]) => [owner, type, data === AT.ns2 ? AT.hoster : data]),
    )
    expect(notRight((await tree.check()).check)).toEqual({ ipv4: 'wrong' })
    tree.delegate(RIGHT.filter(([, type]) => type === 'NS'))
    const missing = { glue: 'wrong', ipv4: 'unknown', ipv6: 'unknown' }
    expect(notRight((await tree.check()).check)).toEqual(missing)
  })

  it('our server that does not serve the domain', async () => {
    tree.serve('ns2', {})
    const { check } = await tree.check()
    expect(notRight(check)).toEqual({ authoritative: 'wrong' })
    expect(messageOf(check, 'authoritative')).toContain(
      `ns2.example.test ${AT.ns2} (UDP) answered REFUSED`,
    )
  })

  it('our server that serves the domain a moment after the claim', async () => {
    tree.serve('ns2', {})
    const found = tree.check()
    await expect.poll(() => tree.asked('ns2').length).toBeGreaterThan(0)
    tree.serve('ns2', ours())
    expect((await found).check.is_right).toBe(true)
  })

  it('a further name server that proves the ownership is accepted', async () => {
    tree.delegate([...RIGHT, [DOMAIN, 'NS', 'token.verify.hoster.test.']])
    expect(notRight((await tree.check()).check)).toMatchObject({ names: 'wrong' })
    const ownershipNames = ['token.verify.hoster.test']
    expect((await tree.check({ ownershipNames })).check.is_right).toBe(true)
  })
})

describe('servers that lie', () => {
  it('hundreds of name servers and addresses end in time, and the check stays small', async () => {
    const many = Array.from({ length: 600 }, (_, n) => `ns${n}.${DOMAIN}`)
    tree.delegate(
      many.flatMap((name): TextRecord[] => [
        [DOMAIN, 'NS', `${name}.`],
        [name, 'A', AT.hoster],
      ]),
    )
    const begun = performance.now()
    const { check } = await tree.check()
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
    expect(notRight(check)).toMatchObject({ names: 'wrong' })
    expect(JSON.stringify(check).length).toBeLessThan(20_000)
  })

  it('addresses of servers outside the zone are ignored', async () => {
    const far = 'ns.far.invalid'
    tree.delegate([
      [DOMAIN, 'NS', `${far}.`],
      [far, 'A', AT.ns1],
    ])
    const { check, isDelegatedToUs } = await tree.check()
    expect(check.parent_servers[0]).toMatchObject({ nameservers: [far], glue: [] })
    // The root says that the name does not exist.
    expect(isDelegatedToUs).toBe(false)
  })

  it('names with control characters are shown as escapes', async () => {
    tree.delegate([[DOMAIN, 'NS', 'evil\\027[31m\\<b\\>.hoster.test.']])
    const text = JSON.stringify((await tree.check()).check)
    expect(text).toContain('evil\\\\027\\\\091')
    expect(text).not.toContain('<b>')
  })

  it('servers that need each other for their addresses end in time', async () => {
    const loop: readonly TextRecord[] = [
      ['one.test', 'NS', 'ns.two.test.'],
      ['two.test', 'NS', 'ns.one.test.'],
      [DOMAIN, 'NS', 'a.one.test.'],
    ]
    tree.delegate(loop)
    const begun = performance.now()
    const { isDelegatedToUs, check } = await tree.check({ domain: 'deep.one.test' })
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS)
    expect([isDelegatedToUs, check.parent_zone]).toEqual([undefined, 'one.test'])
    expect(check.parent_servers).toMatchObject([{ server: 'ns.two.test', address: '' }])
    expect((await tree.check()).isDelegatedToUs).toBeUndefined()
    const queries = (['rootA', 'rootB', 'parentA', 'parentB'] as const).flatMap((each) =>
      tree.asked(each),
    )
    expect(queries.length).toBeLessThan(150)
  })

  it('a zone that delegates deeper and deeper ends at the limit of labels', async () => {
    const domain = `${'a.'.repeat(20)}example.test`
    const { check } = await tree.check({ domain })
    expect(check.parent_zone).toBeNull()
    expect(messageOf(check, 'delegated')).toContain('has more than 13 labels')
  })

  it('an address that must not be asked is not asked', async () => {
    const objectionTo = (address: string) =>
      address === AT.parentB ? 'has an address that is not public, so it was not asked' : undefined
    const { check } = await tree.check({}, { objectionTo })
    expect(check.parent_servers[1]).toMatchObject({
      outcome: 'no-answer',
      message: 'The server has an address that is not public, so it was not asked.',
    })
    expect(tree.asked('parentB')).toEqual([])
  })

  it('hangs: the check ends at its time limit, with what it has by then', async () => {
    const hangs: Fault = ({ transport }) =>
      transport === 'udp' ? { isTruncated: true } : undefined
    tree.fault('parentB', hangs)
    tree.fault('ns2', hangs)
    const { check } = await tree.check({}, { timeLimitMs: 400 })
    expect(check.duration_ms).toBeLessThan(LIMIT_MS)
    expect(notRight(check)).toEqual({ authoritative: 'wrong' })
    expect(check.parent_servers.map(({ outcome }) => outcome)).toEqual(['delegates', 'no-answer'])
  })

  it('one address as many servers of a zone is asked once', async () => {
    const servers = Array.from({ length: 12 }, (_, n) => `ns${n}.shop.test`)
    const shop = servers.flatMap((name): TextRecord[] => [
      ['shop.test', 'NS', `${name}.`],
      [name, 'A', AT.hoster],
    ])
    tree.delegate(shop)
    tree.fault('hoster', dead)
    const { check } = await tree.check({ domain: 'my.shop.test' })
    expect(check.parent_servers).toHaveLength(12)
    // NS and DS, each repeated once.
    expect(tree.asked('hoster')).toHaveLength(4)
  })
})

describe('parent zones', () => {
  it('whose servers have no glue are found by another walk', async () => {
    tree.serve('parentA', {
      test: [...(parentZone([['shop.test', 'NS', 'ns.hoster.test.']]).test ?? [])],
    })
    tree.serve('parentB', parentZone([['shop.test', 'NS', 'ns.hoster.test.']]))
    tree.serve('hoster', {
      ...hosterZones(),
      'shop.test': [
        soaOf('shop.test'),
        ['shop.test', 'NS', 'ns.hoster.test.'],
        ['my.shop.test', 'NS', 'ns.hoster.test.'],
      ],
    })
    const { check } = await tree.check({
      domain: 'my.shop.test',
      nameservers: [{ hostname: 'ns.hoster.test', ipv4: AT.hoster }],
    })
    expect(check.parent_zone).toBe('shop.test')
    expect(check.parent_servers).toMatchObject([
      { server: 'ns.hoster.test', address: AT.hoster, outcome: 'delegates' },
    ])
  })

  it('on the servers of the zone above are seen', async () => {
    const zones = {
      ...parentZone([
        ['co.test', 'NS', 'a.nic.test.'],
        ['co.test', 'NS', 'b.nic.test.'],
      ]),
      'co.test': [
        soaOf('co.test'),
        ['co.test', 'NS', 'a.nic.test.'],
        ['co.test', 'NS', 'b.nic.test.'],
        ['shop.co.test', 'NS', 'ns.hoster.test.'],
      ] satisfies TextRecord[],
    }
    tree.serve('parentA', zones)
    tree.serve('parentB', zones)
    const { check } = await tree.check({ domain: 'shop.co.test' })
    expect(check.parent_zone).toBe('co.test')
    expect(check.parent_servers.map(({ server, outcome }) => [server, outcome])).toEqual([
      ['a.nic.test', 'delegates'],
      ['b.nic.test', 'delegates'],
    ])
  })

  it('that are zones of ours, on the same servers as the domain', async () => {
    const sub = `sub.${DOMAIN}`
    const zones = {
      [DOMAIN]: [
        soaOf(DOMAIN),
        ...RIGHT,
        [sub, 'NS', `ns1.${DOMAIN}.`],
        [sub, 'NS', `ns2.${DOMAIN}.`],
      ] satisfies TextRecord[],
      [sub]: [
        soaOf(sub),
        [sub, 'NS', `ns1.${DOMAIN}.`],
        [sub, 'NS', `ns2.${DOMAIN}.`],
      ] satisfies TextRecord[],
    }
    tree.serve('ns1', zones)
    tree.serve('ns2', zones)
    const { check } = await tree.check({ domain: sub })
    expect(check.parent_zone).toBe(DOMAIN)
    expect(notRight(check)).toEqual({})
  })
})

describe('ownership', () => {
  const TXT_NAME = `_homing-verify.${DOMAIN}`

  it('the TXT record is looked up at the servers that have the domain now', async () => {
    tree.delegate(ELSEWHERE)
    tree.serve(
      'hoster',
      hosterZones([
        [TXT_NAME, 'TXT', '"one-" "token"'],
        [TXT_NAME, 'TXT', '"other"'],
      ]),
    )
    expect(await tree.check()).toMatchObject({
      isDelegatedToUs: false,
      parentNs: ['ns.hoster.test'],
      txt: ['one-token', 'other'],
    })
  })

  it.each<[string, readonly TextRecord[]]>([
    ['no record', []],
    ['a CNAME record', [[TXT_NAME, 'CNAME', 'proof.hoster.test.']]],
  ])('%s is not a text', async (_what, records) => {
    tree.delegate(ELSEWHERE)
    tree.serve('hoster', hosterZones(records))
    expect((await tree.check()).txt).toEqual([])
  })

  it('servers that do not answer for the domain prove nothing', async () => {
    tree.delegate(ELSEWHERE)
    tree.serve('hoster', hosterZones([[TXT_NAME, 'TXT', 'token']]))
    tree.fault('hoster', ({ type }, right) =>
      type === 'TXT' ? { ...right, isAuthoritative: false } : right,
    )
    expect(await tree.check()).toMatchObject({ isDelegatedToUs: false, txt: undefined })
  })

  it('only texts count on which all servers agree', async () => {
    tree.delegate([
      ...ELSEWHERE,
      [DOMAIN, 'NS', 'second.hoster.test.'],
      ['second.hoster.test', 'A', AT.rootB],
    ])
    const record = (text: string): TextRecord => [TXT_NAME, 'TXT', text]
    tree.serve('hoster', {
      ...hosterZones([record('both'), record('one')]),
    })
    tree.fault('hoster', ({ name }, right) =>
      name === 'second.hoster.test'
        ? { isAuthoritative: true, answers: [[name, 'A', AT.rootB]] }
        : right,
    )
    tree.fault('rootB', ({ name }, right) =>
      name === TXT_NAME
        ? { isAuthoritative: true, answers: [record('both'), record('two')] }
        : right,
    )
    expect((await tree.check()).txt).toEqual(['both'])
  })

  it('a domain at our addresses under another name is delegated to us', async () => {
    tree.delegate([
      [DOMAIN, 'NS', 'ns.other.test.'],
      ['ns.other.test', 'A', AT.ns1],
    ])
    expect((await tree.check()).isDelegatedToUs).toBe(true)
  })

  it('a server without known addresses may be ours', async () => {
    tree.delegate(ELSEWHERE.map(([owner, type]) => [owner, type, 'ns.far.invalid.']))
    tree.fault('rootA', ({ name }, right) => (name.endsWith('invalid') ? undefined : right))
    tree.fault('rootB', ({ name }, right) => (name.endsWith('invalid') ? undefined : right))
    expect((await tree.check()).isDelegatedToUs).toBeUndefined()
  })
})
