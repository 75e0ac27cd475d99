import { type Answer, decode, type OptAnswer } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import { InvalidQuestion } from './errors.ts'
import { NoAnswer } from './no-answer.ts'
import {
  address,
  answerTo,
  nameServer,
  nothingThere,
  QUESTION,
  type Reply,
} from './test-support.ts'

const SERVFAIL = 2
const NXDOMAIN = 3
const REFUSED = 5
// Only the test of the time limit waits this long.
const SHORT_MS = 20

const rcode =
  (code: number): Reply =>
  (asked) =>
    answerTo(asked, { flags: code })

describe('an answer', () => {
  it('has its records, its flags, its server and its transport', async () => {
    const server = await nameServer(address('192.0.2.1'))
    expect(await ask(QUESTION, [server])).toMatchObject({
      rcode: 'NOERROR',
      authoritative: true,
      recursionAvailable: false,
      answers: [{ type: 'A', ttl: 60, data: '192.0.2.1' }],
      authorities: [],
      additionals: [],
      extendedErrors: [],
      server: { address: '127.0.0.1', port: server.port },
      transport: 'udp',
    })
  })

  it('has the data of a record in the form of its type', async () => {
    const records: Answer[] = [
      { type: 'TXT', name: 'home.test', ttl: 1, data: ['one', Buffer.from([0xff])] },
      { type: 'MX', name: 'home.test', ttl: 2, data: { preference: 10, exchange: 'mx.test' } },
      { type: 'UNKNOWN_65' as 'NULL', name: 'home.test', ttl: 3, data: Buffer.from([0, 1, 0]) },
      { type: 'UNKNOWN_4711' as 'NULL', name: 'home.test', ttl: 4, data: Buffer.from([7]) },
    ]
    const server = await nameServer((asked) => answerTo(asked, { answers: records }))
    const { answers } = await ask({ name: 'home.test', type: 'ANY' }, [server])
    expect(answers.map(({ type, data }) => [type, data])).toEqual([
      ['TXT', [Buffer.from('one'), Buffer.from([0xff])]],
      ['MX', { preference: 10, exchange: 'mx.test' }],
      ['HTTPS', Buffer.from([0, 1, 0])],
      ['TYPE4711', Buffer.from([7])],
    ])
  })

  it('has names in lower case, whatever case the question had', async () => {
    const soa = { mname: 'NS1.Home.test', rname: 'Host.Home.test', serial: 1, refresh: 2 }
    const records: Answer[] = [
      { type: 'CNAME', name: 'HOME.test', ttl: 1, data: 'Other.HOME.test' },
      { type: 'MX', name: 'HOME.test', ttl: 1, data: { preference: 1, exchange: 'Mx.test' } },
      { type: 'SRV', name: 'HOME.test', ttl: 1, data: { port: 1, target: 'Srv.test' } },
      { type: 'SOA', name: 'HOME.test', ttl: 1, data: soa },
    ]
    const server = await nameServer((asked) => answerTo(asked, { answers: records }))
    const { answers } = await ask({ name: 'home.test', type: 'ANY' }, [server])
    const [cname, mx, srv, start] = answers
    expect([cname?.name, cname?.data]).toEqual(['home.test', 'other.home.test'])
    expect([mx?.data, srv?.data, start?.data]).toMatchObject([
      { preference: 1, exchange: 'mx.test' },
      { port: 1, target: 'srv.test' },
      { mname: 'ns1.home.test', rname: 'host.home.test', serial: 1, refresh: 2 },
    ])
  })

  it('has the extended errors, and the upper bits of the code', async () => {
    const data = Buffer.concat([Buffer.from([0, 14]), Buffer.from('starting')])
    const opt: OptAnswer = {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1232,
      extendedRcode: 1,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [{ code: 15 as 12, data }],
    }
    const server = await nameServer((asked) => answerTo(asked, { additionals: [opt] }))
    const answer = await ask(QUESTION, [server])
    expect(answer).toMatchObject({ rcode: 'BADVERS', additionals: [] })
    expect(answer.extendedErrors).toEqual([{ code: 14, text: 'starting' }])
  })
})

describe('a question', () => {
  it('has a random ID and letter case, asks for recursion, and takes 1232 octets', async () => {
    const server = await nameServer(address('192.0.2.1'))
    const random = (count: number) => Buffer.alloc(count, 0b01)
    await ask({ name: 'Home.test', type: 'HTTPS' }, [server], { random })
    await ask({ name: 'Home.test.', type: 'A', class: 'CH' }, [server], {
      mixesCase: false,
      recursionDesired: false,
      edns: false,
    })
    const [first, second] = server.asked.map(({ octets }) => decode(octets))
    expect(first).toMatchObject({
      id: 0x0101,
      flag_rd: true,
      questions: [{ name: 'HOME.TEST', type: 'UNKNOWN_65', class: 'IN' }],
      additionals: [{ type: 'OPT', udpPayloadSize: 1232, options: [] }],
    })
    expect(second).toMatchObject({
      flag_rd: false,
      questions: [{ name: 'Home.test', type: 'A', class: 'CH' }],
      additionals: [],
    })
  })

  it('differs each time', async () => {
    const server = await nameServer(address('192.0.2.1'))
    const name = 'abcdefghijklmnopqrstuvwxyz.test'
    for (let times = 0; times < 4; times++) await ask({ name, type: 'A' }, [server])
    const questions = server.asked.map(({ octets }) => octets.toString('latin1'))
    expect(new Set(questions.map((octets) => octets.slice(0, 2))).size).toBeGreaterThan(1)
    expect(new Set(questions.map((octets) => octets.slice(12))).size).toBe(4)
  })

  it.each([
    ['', 'A', /The name "" has an empty label/],
    ['a..test', 'A', /empty label/],
    [`${'x'.repeat(64)}.test`, 'A', /label longer than 63/],
    [`${'x.'.repeat(127)}test`, 'A', /longer than 253/],
    ['bücher.test', 'A', /A-labels/],
    [String.raw`a\.b.test`, 'A', /a label with a dot/],
    [String.raw`a\255.test`, 'A', /outside ASCII/],
    [String.raw`a\010b.test`, 'A', /a control character/],
    ['home.test', 'NOPE', /"NOPE" is not a record type/],
  ])('%j of type %s is invalid', async (name, type, message) => {
    const server = await nameServer(address('192.0.2.1'))
    const asking = ask({ name, type }, [server])
    await expect(asking).rejects.toThrow(message)
    await expect(asking).rejects.toBeInstanceOf(InvalidQuestion)
    expect(server.asked).toEqual([])
  })

  it('needs a name server', async () => {
    await expect(ask(QUESTION, [])).rejects.toThrow('No name server was given.')
  })
})

describe('several servers', () => {
  it('are asked in turn until one answers', async () => {
    const servers = [
      await nothingThere(),
      await nameServer(rcode(SERVFAIL)),
      await nameServer(rcode(REFUSED)),
      await nameServer(rcode(NXDOMAIN)),
      await nameServer(address('192.0.2.1')),
    ]
    const answer = await ask(QUESTION, servers)
    expect([answer.rcode, answer.server.port]).toEqual(['NXDOMAIN', servers[3]?.port])
  })

  it('that all refuse: the first answer is returned', async () => {
    const servers = [await nameServer(rcode(REFUSED)), await nameServer(rcode(SERVFAIL))]
    expect((await ask(QUESTION, servers)).rcode).toBe('REFUSED')
  })

  it('that do not answer are asked again, and the error names each', async () => {
    const silent = await nameServer(() => [])
    const unreadable = await nameServer((asked) => answerTo(asked).fill(0xff, 6, 8))
    const closed = await nothingThere()
    const servers = [silent, unreadable, closed]
    const asking = ask(QUESTION, servers, { attemptMs: SHORT_MS, tries: 2 })
    const error = await asking.catch((reason: unknown) => reason)
    if (!(error instanceof NoAnswer)) throw new Error('there was an answer')
    expect(error.failures.map(({ server, reason }) => [server.port, reason])).toEqual([
      [silent.port, 'timeout'],
      [unreadable.port, 'bad-answer'],
      [closed.port, 'unreachable'],
      [silent.port, 'timeout'],
      [unreadable.port, 'bad-answer'],
      [closed.port, 'unreachable'],
    ])
    expect(error.reason).toBe('bad-answer')
    expect(error.message).toMatch(
      new RegExp(
        `^127.0.0.1:${silent.port} did not answer within 0.02 s; .* cannot be reached: .*`,
      ),
    )
  })
})

describe('a signal', () => {
  it.each(['udp', 'tcp'] as const)(
    'ends a wait over %s, with its own reason',
    async (transport) => {
      const reason = new Error('enough')
      const controller = new AbortController()
      const server = await nameServer(() => {
        controller.abort(reason)
        return []
      })
      const asking = ask(QUESTION, [server], { transport, signal: controller.signal })
      await expect(asking).rejects.toBe(reason)
    },
  )

  it('that was aborted before: nothing is sent', async () => {
    const server = await nameServer(address('192.0.2.1'))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(ask(QUESTION, [server], { signal })).rejects.toThrow('enough')
    expect(server.asked).toEqual([])
  })
})
