/** The update URLs over real sockets: every octet that old firmware would see. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { insertDomain, tableState, zoneId } from '../../../test/support/feed-world.ts'
import { answerOf, exchange, type RawAnswer } from '../../../test/support/raw-http.ts'
import { UpdateNotStored } from '../../feed/address-change.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let port: number
let ada: Caller
let host: string
let hostId: string
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
  // Both families, as the service listens in production: IPv4 callers come as ::ffff:a.b.c.d.
  await world.app.listen({ host: '::', port: 0 })
  port = (world.app.server.address() as AddressInfo).port
})
afterAll(() => world.end())

const fqdnOf = (label: string) => `${label}${people}.homing.test`

async function makeHost(label: string, who: Caller = ada, ipv4?: string): Promise<string> {
  const { id } = await insertDomain(world.knex, {
    userId: who.id,
    fqdn: fqdnOf(label),
    ...(ipv4 && { ipv4 }),
  })
  return id
}

beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`)
  hostId = await makeHost('home', ada, '192.0.2.1')
  host = fqdnOf('home')
})

const basic = (username: string, password = PASSWORD) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly authorization?: string | null
  readonly headers?: readonly string[]
  readonly version?: '1.0' | '1.1'
  readonly body?: string
  readonly to?: { port?: number; host?: string }
}

async function ask(search: string, asked: Asked = {}): Promise<RawAnswer> {
  const { authorization = basic(ada.username), version = '1.1', body, headers = [] } = asked
  const lines = [
    `${asked.method ?? 'GET'} ${asked.path ?? '/nic/update'}${search && `?${search}`} HTTP/${version}`,
    'Host: update.homing.test',
    ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
    ...(version === '1.1' ? ['Connection: close'] : []),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ]
  return answerOf(
    await exchange({ port, ...asked.to }, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`),
  )
}

const said = async (search: string, asked?: Asked) => {
  const { status, body } = await ask(search, asked)
  return `${status} ${body}`
}

const stored = async (id = hostId) => {
  const [row] = await query<{ ipv4: string | null; ipv6: string | null }>(
    world.knex,
    'select host(record_ipv4) as ipv4, host(record_ipv6) as ipv6 from domains where id = ?',
    [id],
  )
  return [row?.ipv4, row?.ipv6]
}

const PATHS = [
  '/nic/update',
  '/v2/update',
  '/dyndns/update',
  '/api/domains/update',
  '/api/domains/nic/update',
]

describe('the octets of an answer', () => {
  test.each(PATHS)('%s', async (path) => {
    const good = await ask(`hostname=${host}&myip=192.0.2.7`, { path })
    expect(good.statusLine).toBe('HTTP/1.1 200 OK')
    expect(good.body).toBe('good 192.0.2.7\n')
    expect(Object.fromEntries(good.headers)).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '15',
      'cache-control': 'no-store',
      connection: 'close',
      date: expect.any(String),
    })
    expect((await ask(`hostname=${host}&myip=192.0.2.7`, { path })).body).toBe('nochg 192.0.2.7\n')
    expect(await stored()).toEqual(['192.0.2.7', null])
  })

  test('no credentials: a challenge, so that wget sends them', async () => {
    const answer = await ask(`hostname=${host}&myip=192.0.2.7`, { authorization: null })
    expect(answer.statusLine).toBe('HTTP/1.1 401 Unauthorized')
    expect(answer.body).toBe('badauth\n')
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Homing", charset="UTF-8"')
    expect(answer.headers.get('content-length')).toBe('8')
    expect(answer.headers.has('set-cookie')).toBe(false)
  })

  test('HTTP/1.0 without a Host, closed by the server', async () => {
    const request = `GET /nic/update?hostname=${host}&myip=192.0.2.8 HTTP/1.0\r\nAuthorization: ${basic(ada.username)}\r\n\r\n`
    const answer = answerOf(await exchange({ port }, request))
    expect(answer.body).toBe('good 192.0.2.8\n')
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.has('transfer-encoding')).toBe(false)
    const kept = await ask(`hostname=${host}&myip=192.0.2.8`, {
      version: '1.0',
      headers: ['Connection: keep-alive'],
    })
    expect(kept.headers.get('connection')).toBe('close')
  })

  test('nothing is compressed for a client that would take it', async () => {
    const answer = await ask(`hostname=${host}`, { headers: ['Accept-Encoding: gzip, br'] })
    expect(answer.headers.has('content-encoding')).toBe(false)
  })

  test('many updates on one connection, each answered in its turn', async () => {
    const one = (n: number, last: boolean) =>
      `GET /nic/update?hostname=${host}&myip=192.0.2.${n} HTTP/1.1\r\nHost: h\r\nAuthorization: ${basic(ada.username)}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
    const text = await exchange({ port }, [31, 32, 33].map((n) => one(n, n === 33)).join(''))
    expect([...text.matchAll(/^good \S+$/gm)].map(([line]) => line)).toEqual([
      'good 192.0.2.31',
      'good 192.0.2.32',
      'good 192.0.2.33',
    ])
  })
})

describe('addresses', () => {
  test('both families in any order, one line, in the client’s spelling', async () => {
    expect(await said(`hostname=${host}&myip=2001:DB8::9,192.0.2.9`)).toBe(
      '200 good 2001:DB8::9,192.0.2.9\n',
    )
    expect(await stored()).toEqual(['192.0.2.9', '2001:db8::9'])
    expect(await said(`hostname=${host}&myip=192.0.2.9,2001:db8:0::9`)).toBe(
      '200 nochg 192.0.2.9,2001:db8:0::9\n',
    )
    expect(await said(`hostname=${host}&myip=192.0.2.9,2001:db8::a`)).toBe(
      '200 good 192.0.2.9,2001:db8::a\n',
    )
  })

  test('a family that is not mentioned is kept', async () => {
    expect(await said(`hostname=${host}&myip=2001:db8::1`)).toBe('200 good 2001:db8::1\n')
    expect(await stored()).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(await said(`hostname=${host}&myip=192.0.2.2`)).toBe('200 good 192.0.2.2\n')
    expect(await stored()).toEqual(['192.0.2.2', '2001:db8::1'])
  })

  test.each(['', '&myip=', '&myip=%20'])(
    'without one (%j) the caller’s own, and that family alone',
    async (myip) => {
      await said(`hostname=${host}&myip=2001:db8::1`)
      expect(await said(`hostname=${host}${myip}`)).toBe('200 good 127.0.0.1\n')
      expect(await stored()).toEqual(['127.0.0.1', '2001:db8::1'])
    },
  )

  test('a caller by IPv6 sets AAAA and keeps A', async () => {
    expect(await said(`hostname=${host}`, { to: { host: '::1' } })).toBe('200 good ::1\n')
    expect(await stored()).toEqual(['192.0.2.1', '::1'])
  })

  test('a header that anybody may send does not choose the address', async () => {
    const headers = [
      'X-Forwarded-For: 203.0.113.66',
      'Forwarded: for=203.0.113.66',
      'X-Real-IP: 203.0.113.66',
      'Client-IP: 203.0.113.66',
    ]
    expect(await said(`hostname=${host}`, { headers })).toBe('200 good 127.0.0.1\n')
  })

  test.each([
    '192.0.2',
    '0.0.0.0',
    '224.0.0.1',
    '::ffff:192.0.2.1',
    '192.0.2.1,192.0.2.2',
    '2001:db8::/64',
    'x',
    '%00',
    '192.0.2.1%0d%0aSet-Cookie:x',
  ])('myip=%s: dnserr, nothing is stored and nothing repeated', async (myip) => {
    expect(await said(`hostname=${host}&myip=${myip}`)).toBe('200 dnserr\n')
    expect(await stored()).toEqual(['192.0.2.1', null])
  })
})

describe('names', () => {
  test('a list: one line each, in the order of the request', async () => {
    const second = await makeHost('second')
    const locked = await makeHost('locked')
    await query(world.knex, 'update domains set locked = true where id = ?', [locked])
    const list = [host, fqdnOf('none'), 'bad..name', fqdnOf('locked'), fqdnOf('second'), host]
    expect(await said(`hostname=${list.join(',')}&myip=192.0.2.40`)).toBe(
      '200 good 192.0.2.40\nnohost\nnotfqdn\nabuse\ngood 192.0.2.40\ngood 192.0.2.40\n',
    )
    expect(await stored(second)).toEqual(['192.0.2.40', null])
    expect(await stored(locked)).toEqual([null, null])
  })

  test('20 names are done, 21 are not', async () => {
    await query(
      world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
       select ?, ?, 'n' || n || ? || '.homing.test', 'A', 60 from generate_series(1, 21) n`,
      [ada.id, await zoneId(world.knex), `-${people}`],
    )
    const names = Array.from({ length: 21 }, (_, n) => `n${n + 1}-${people}.homing.test`)
    const twenty = await said(`hostname=${names.slice(0, 20).join(',')}&myip=192.0.2.50`)
    expect(twenty).toBe(`200 ${'good 192.0.2.50\n'.repeat(20)}`)
    expect(await said(`hostname=${names.join(',')}&myip=192.0.2.51`)).toBe('200 numhost\n')
  })

  test.each(['', 'hostname=', 'hostname=,', 'hostname=YES'])(
    '%j: the only name of the account, and none where it has several',
    async (search) => {
      const asked = `${search}${search && '&'}myip=192.0.2.60`
      expect(await said(asked)).toBe('200 good 192.0.2.60\n')
      await makeHost('second')
      expect(await said(asked)).toBe('200 notfqdn\n')
    },
  )

  test.each([
    'hostname=home',
    'hostname=home%00.homing.test',
    'hostname=%ff%fe.homing.test',
    'hostname=%zz',
    'hostname=_x.homing.test',
    'hostname=*.home.homing.test',
    'host=home',
  ])('%j: notfqdn', async (search) => {
    expect(await said(`${search}${search && '&'}myip=192.0.2.60`)).toBe('200 notfqdn\n')
  })

  test('somebody else’s name and one that does not exist are answered alike', async () => {
    const bob = await world.person(`bob${people}`)
    const his = await makeHost('his', bob, '192.0.2.1')
    for (const name of [fqdnOf('his'), fqdnOf('none'), 'homing.test', 'www.example.com']) {
      expect(await said(`hostname=${name}&myip=192.0.2.61`)).toBe('200 nohost\n')
    }
    expect(await stored(his)).toEqual(['192.0.2.1', null])
  })

  test('upper case, a final dot, other scripts; a wildcard follows its base', async () => {
    const star = await insertDomain(world.knex, {
      userId: ada.id,
      fqdn: `*.${host}`,
      baseId: hostId,
      ipv4: '192.0.2.1',
    })
    expect(await said(`hostname=${host.toUpperCase()}.&myip=192.0.2.62`)).toBe(
      '200 good 192.0.2.62\n',
    )
    expect(await stored(star.id)).toEqual(['192.0.2.62', null])
    const idn = await insertDomain(world.knex, { userId: ada.id, fqdn: `xn--mnchen-3ya.${host}` })
    expect(await said(`hostname=${encodeURIComponent(`münchen.${host}`)}&myip=192.0.2.63`)).toBe(
      '200 good 192.0.2.63\n',
    )
    expect(await stored(idn.id)).toEqual(['192.0.2.63', null])
  })

  test('DNS was told when the answer is there', async () => {
    const zone = await zoneId(world.knex)
    expect(await said(`hostname=${host}&myip=192.0.2.64`)).toBe('200 good 192.0.2.64\n')
    const [set] = await query<{ rrsets: unknown }>(
      world.knex,
      'select rrsets from dns_change where zone_id = ? and owner = ? order by serial desc limit 1',
      [zone, host],
    )
    expect(set?.rrsets).toEqual([{ type: 'A', ttl: 60, rdata: ['192.0.2.64'] }])
    expect((await tableState(world.knex, zone))[host]).toEqual(set?.rrsets)
  })

  test('who changed it, from where, with what: the name’s history', async () => {
    await ask(`hostname=${host}&myip=192.0.2.65`, {
      headers: [`User-Agent: ddclient/3.11 ${'x'.repeat(300)}`],
    })
    const events = await query<object>(
      world.knex,
      `select kind, actor, actor_id, host(source_ip) as ip, client, host(new_ipv4) as new from domain_events where domain_id = ?`,
      [hostId],
    )
    expect(events).toEqual([
      {
        kind: 'address',
        actor: 'password',
        actor_id: ada.id,
        ip: '127.0.0.1',
        client: `ddclient/3.11 ${'x'.repeat(300)}`.slice(0, 200),
        new: '192.0.2.65',
      },
    ])
  })
})

describe('states of names and accounts', () => {
  test.each(['locked', 'over_limit', 'owner_blocked'])(
    '%s: abuse, also for the same address, and nothing is stored',
    async (column) => {
      await query(world.knex, `update domains set ${column} = true where id = ?`, [hostId])
      expect(await said(`hostname=${host}&myip=192.0.2.70`)).toBe('200 abuse\n')
      expect(await said(`hostname=${host}&myip=192.0.2.1`)).toBe('200 abuse\n')
      expect(await stored()).toEqual(['192.0.2.1', null])
    },
  )

  test('paused by its owner: stored, good', async () => {
    await query(world.knex, 'update domains set paused = true where id = ?', [hostId])
    expect(await said(`hostname=${host}&myip=192.0.2.71`)).toBe('200 good 192.0.2.71\n')
    expect(await stored()).toEqual(['192.0.2.71', null])
  })

  test.each([`enabled = false`, `account_type = 'disabled'`])(
    'an account with %s: abuse once, at once',
    async (assignment) => {
      const two = `hostname=${host},${fqdnOf('other')}&myip=192.0.2.72`
      expect(await said(two)).toBe('200 good 192.0.2.72\nnohost\n')
      await query(world.knex, `update users set ${assignment} where id = ?`, [ada.id])
      expect(await said(two)).toBe('200 abuse\n')
      expect(await stored()).toEqual(['192.0.2.72', null])
    },
  )
})

describe('credentials', () => {
  test.each<[string, (who: Caller) => string | null]>([
    ['a wrong password', (who) => basic(who.username, 'wrong')],
    ['an unknown account', () => basic('nobody')],
    ['an empty password', (who) => basic(who.username, '')],
    ['no colon', () => `Basic ${Buffer.from('ada').toString('base64')}`],
    ['NUL', (who) => basic(`${who.username}\0`)],
    ['not Base64', () => 'Basic ????'],
    ['a session', (who) => who.headers['authorization'] ?? ''],
    ['a key that is none', () => 'Bearer ak_00000000000000000000000000000000'],
    ['another scheme', () => 'Digest username="ada"'],
    ['a header too long', () => `Basic ${'A'.repeat(4000)}`],
  ])('%s: badauth, whatever the rest says', async (_, header) => {
    for (const search of [
      `hostname=${host}&myip=192.0.2.80`,
      'hostname=none',
      '',
      'hostname=x&myip=y',
    ]) {
      expect(await said(search, { authorization: header(ada) })).toBe('401 badauth\n')
    }
    expect(await stored()).toEqual(['192.0.2.1', null])
  })

  test('the account’s e-mail address is as good as its name, in any case', async () => {
    const authorization = basic(`${ada.username}@MAIL.test`.toUpperCase())
    expect(await said(`hostname=${host}&myip=192.0.2.81`, { authorization })).toBe(
      '200 good 192.0.2.81\n',
    )
    expect(
      await said(`hostname=${host}&myip=192.0.2.81`, {
        authorization: basic(ada.username.toUpperCase()),
      }),
    ).toBe('200 nochg 192.0.2.81\n')
  })

  test('a right password is tried once, and no longer counts once it is changed', async () => {
    const { passwords } = world.services
    const verify = passwords.verify.bind(passwords)
    let tried = 0
    passwords.verify = async (hash, text) => {
      tried += 1
      return verify(hash, text)
    }
    try {
      for (let n = 0; n < 5; n += 1) await said(`hostname=${host}&myip=192.0.2.82`)
      expect(tried).toBe(1)
      await query(
        world.knex,
        `update users set password_hash = ?, credential_version = credential_version + 1 where id = ?`,
        [await passwords.hash('another password'), ada.id],
      )
      expect(await said(`hostname=${host}&myip=192.0.2.83`)).toBe('401 badauth\n')
      expect(
        await said(`hostname=${host}&myip=192.0.2.83`, {
          authorization: basic(ada.username, 'another password'),
        }),
      ).toBe('200 good 192.0.2.83\n')
    } finally {
      passwords.verify = verify
    }
  })

  test('an API key as the password of any name, or as Bearer', async () => {
    const made = await world.app.inject({
      method: 'POST',
      url: '/api/api-keys/',
      headers: ada.headers,
      payload: { name: 'router' },
    })
    const { key } = made.json<{ key: string }>()
    expect(
      await said(`hostname=${host}&myip=192.0.2.84`, { authorization: basic('none', key) }),
    ).toBe('200 good 192.0.2.84\n')
    expect(await said(`hostname=${host}&myip=192.0.2.85`, { authorization: `Bearer ${key}` })).toBe(
      '200 good 192.0.2.85\n',
    )
    await query(world.knex, `update users set account_type = 'free' where id = ?`, [ada.id])
    expect(await said(`hostname=${host}&myip=192.0.2.86`, { authorization: `Bearer ${key}` })).toBe(
      '401 badauth\n',
    )
  })
})

describe('methods', () => {
  test('HEAD says whether the credentials are right, and writes nothing', async () => {
    const right = await ask(`hostname=${host}&myip=192.0.2.90`, { method: 'HEAD' })
    expect([right.status, right.body]).toEqual([200, ''])
    expect(right.headers.has('strict-transport-security')).toBe(false)
    expect(right.headers.has('content-security-policy')).toBe(false)
    const wrong = await ask(`hostname=${host}&myip=192.0.2.90`, {
      method: 'HEAD',
      authorization: null,
    })
    expect([wrong.status, wrong.body]).toEqual([401, ''])
    expect(await stored()).toEqual(['192.0.2.1', null])
  })

  test.each(['POST', 'PUT'])('%s with parameters in the query or in a form', async (method) => {
    expect(await said(`hostname=${host}&myip=192.0.2.91`, { method, body: '' })).toBe(
      '200 good 192.0.2.91\n',
    )
    const form = {
      method,
      headers: ['Content-Type: application/x-www-form-urlencoded'],
      body: `hostname=${host}&myip=192.0.2.92`,
    }
    expect(await said('', form)).toBe('200 good 192.0.2.92\n')
    // The query wins.
    expect(await said('myip=192.0.2.93', form)).toBe('200 good 192.0.2.93\n')
  })

  test.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'text/xml',
    'application/octet-stream',
  ])('a body of type %s is not looked at', async (type) => {
    const answer = await said(`hostname=${host}&myip=192.0.2.94`, {
      method: 'POST',
      headers: [`Content-Type: ${type}`],
      body: '{"broken',
    })
    expect(answer).toBe('200 good 192.0.2.94\n')
  })

  test('what HTTP cannot read is a faulty client, in a line of text', async () => {
    const large = await said(`hostname=${host}`, {
      method: 'POST',
      headers: ['Content-Type: text/plain'],
      body: 'x'.repeat(100_000),
    })
    expect(large).toBe('200 badagent\n')
    for (const method of ['DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await ask(`hostname=${host}`, { method, body: '' })
      expect([answer.status, answer.body, answer.headers.get('allow')]).toEqual([
        405,
        'badagent\n',
        'GET, HEAD, POST, PUT',
      ])
    }
    expect(await stored()).toEqual(['192.0.2.1', null])
  })

  test.each([
    ['no Host', 'Connection: close'],
    ['an expectation that nobody knows', 'Host: x\r\nConnection: close\r\nExpect: an answer'],
  ])('%s: the update is made all the same', async (_, headers) => {
    const request =
      `GET /nic/update?hostname=${host}&myip=192.0.2.7 HTTP/1.1\r\n` +
      `Authorization: ${basic(ada.username)}\r\n${headers}\r\n\r\n`
    const answer = answerOf(await exchange({ port }, request))
    expect([answer.status, answer.body]).toEqual([200, 'good 192.0.2.7\n'])
    expect(answer.headers.has('transfer-encoding')).toBe(false)
  })

  test('a URL without end is a faulty client too', async () => {
    const long = await ask(`hostname=${`${host},`.repeat(2000)}`)
    expect([long.status, long.body]).toEqual([200, 'badagent\n'])
    expect(long.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('parameters that are given twice', async () => {
    expect(
      await said(`hostname=${fqdnOf('none')}&hostname=${host}&myip=192.0.2.95&myip=2001:db8::95`),
    ).toBe('200 good 192.0.2.95,2001:db8::95\n')
  })
})

describe('when it cannot be stored', () => {
  test('the store refuses: 503, Retry-After, dnserr; the other names are stored', async () => {
    const other = await makeHost('other')
    const { coalescer } = world.services
    const submit = coalescer.submit.bind(coalescer)
    coalescer.submit = async (change) => {
      if (change.domainId === other) throw new UpdateNotStored(new Error('disk full'))
      return submit(change)
    }
    try {
      const answer = await ask(`hostname=${host},${fqdnOf('other')}&myip=192.0.2.100`)
      expect(answer.statusLine).toBe('HTTP/1.1 503 Service Unavailable')
      expect(answer.body).toBe('good 192.0.2.100\ndnserr\n')
      expect(answer.headers.get('retry-after')).toBe('30')
    } finally {
      coalescer.submit = submit
    }
  })
})

describe('limits', () => {
  let limited: ApiWorld
  let limitedPort: number
  let bob: Caller

  beforeAll(async () => {
    limited = await openApiWorld({
      rateLimits: true,
      trustProxy: ['127.0.0.1'],
      addressPolicy: 'public',
    })
    await limited.app.listen({ host: '127.0.0.1', port: 0 })
    limitedPort = (limited.app.server.address() as AddressInfo).port
    bob = await limited.person('bob')
    await insertDomain(limited.knex, { userId: bob.id, fqdn: 'bobs.homing.test' })
  })
  afterAll(() => limited.end())

  const asBob = (search: string, password = PASSWORD, from = '9.9.9.9') =>
    ask(search, {
      authorization: basic('bob', password),
      to: { port: limitedPort },
      headers: [`X-Forwarded-For: 1.1.1.1, ${from}`],
    })

  test('behind a proxy: the last address that no proxy of ours added; others do not count', async () => {
    expect((await asBob('hostname=bobs.homing.test')).body).toBe('good 9.9.9.9\n')
  })

  test.each(['unknown', '9.9.9.9:4711'])(
    'a proxy that tells %s: an address that is given counts, none is guessed',
    async (told) => {
      const { id } = await insertDomain(limited.knex, { userId: bob.id, fqdn: fqdnOf('told') })
      const given = await asBob(`hostname=${fqdnOf('told')}&myip=9.9.9.8`, PASSWORD, told)
      expect([given.status, given.body]).toEqual([200, 'good 9.9.9.8\n'])
      const guessed = await asBob(`hostname=${fqdnOf('told')}`, PASSWORD, told)
      expect([guessed.status, guessed.body]).toEqual([200, 'dnserr\n'])
      const [row] = await query(
        limited.knex,
        'select host(record_ipv4) as ipv4 from domains where id = ?',
        [id],
      )
      expect(row).toEqual({ ipv4: '9.9.9.8' })
    },
  )

  test('a policy of public addresses refuses private ones, the caller’s own too', async () => {
    expect((await asBob('hostname=bobs.homing.test&myip=192.168.1.1')).body).toBe('dnserr\n')
    expect((await asBob('hostname=bobs.homing.test', PASSWORD, '10.0.0.1')).body).toBe('dnserr\n')
  })

  test('a name that changes too often: 503 and 911 with Retry-After; nochg always', async () => {
    await insertDomain(limited.knex, { userId: bob.id, fqdn: 'busy.homing.test' })
    for (let n = 1; n <= 10; n += 1) {
      expect((await asBob(`hostname=busy.homing.test&myip=9.9.9.${n}`)).body).toBe(
        `good 9.9.9.${n}\n`,
      )
    }
    const refused = await asBob('hostname=busy.homing.test&myip=9.9.9.11')
    expect([refused.status, refused.body]).toEqual([503, '911\n'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let n = 0; n < 20; n += 1) {
      expect((await asBob('hostname=busy.homing.test&myip=9.9.9.10')).body).toBe('nochg 9.9.9.10\n')
    }
  })

  test('somebody who guesses is refused, and the owner elsewhere still gets in', async () => {
    const guesses: string[] = []
    for (let n = 0; n < 12; n += 1) {
      const { status, body } = await asBob('hostname=bobs.homing.test', `guess ${n}`, '8.8.8.8')
      guesses.push(`${status} ${body.trim()}`)
    }
    expect(new Set(guesses)).toEqual(new Set(['401 badauth', '503 911']))
    expect(guesses.at(-1)).toBe('503 911')
    expect((await asBob('hostname=bobs.homing.test')).status).toBe(200)
  })
})

test('a database that is away: 503 dnserr with Retry-After, never good; and it comes back by itself', async () => {
  const away = await openApiWorld()
  const carol = await away.person('carol')
  await insertDomain(away.knex, { userId: carol.id, fqdn: 'carols.homing.test' })
  await away.app.listen({ host: '127.0.0.1', port: 0 })
  const to = { port: (away.app.server.address() as AddressInfo).port }
  const asked = { authorization: basic('carol'), to }
  expect(await said('hostname=carols.homing.test&myip=192.0.2.1', asked)).toBe(
    '200 good 192.0.2.1\n',
  )
  await query(away.knex, 'alter table domains rename to domains_away')
  const answer = await ask('hostname=carols.homing.test&myip=192.0.2.2', asked)
  expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
    503,
    'dnserr\n',
    '30',
  ])
  await query(away.knex, 'alter table domains_away rename to domains')
  expect(await said('hostname=carols.homing.test&myip=192.0.2.2', asked)).toBe(
    '200 good 192.0.2.2\n',
  )
  await away.end()
})
