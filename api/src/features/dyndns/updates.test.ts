/** The update URLs over real sockets, down to each octet that old firmware receives. */
import { describe, expect, test } from 'vitest'
import { insertDomain, tableState, zoneId } from '../../../test/support/feed-world.ts'
import { answerOf, exchange } from '../../../test/support/raw-http.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()

const PATHS = [
  '/nic/update',
  '/v2/update',
  '/dyndns/update',
  '/api/domains/update',
  '/api/domains/nic/update',
]

describe('the octets of an answer', () => {
  test.each(PATHS)('%s', async (path) => {
    const good = await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { path })
    expect(good.statusLine).toBe('HTTP/1.1 200 OK')
    expect(good.body).toBe('good 192.0.2.7\n')
    expect(Object.fromEntries(good.headers)).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '15',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.any(String),
    })
    expect((await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { path })).body).toBe(
      'nochg 192.0.2.7\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.7', null])
  })

  test('no credentials: a challenge, so that wget sends them', async () => {
    const answer = await t.ask(`hostname=${t.host}&myip=192.0.2.7`, { authorization: null })
    expect(answer.statusLine).toBe('HTTP/1.1 401 Unauthorized')
    expect(answer.body).toBe('badauth\n')
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Homing", charset="UTF-8"')
    expect(answer.headers.get('content-length')).toBe('8')
    expect(answer.headers.has('set-cookie')).toBe(false)
  })

  test('HTTP/1.0 without a Host, closed by the server', async () => {
    const request = `GET /nic/update?hostname=${t.host}&myip=192.0.2.8 HTTP/1.0\r\nAuthorization: ${basic(t.ada.username)}\r\n\r\n`
    const answer = answerOf(await exchange({ port: t.port }, request))
    expect(answer.body).toBe('good 192.0.2.8\n')
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.has('transfer-encoding')).toBe(false)
    const kept = await t.ask(`hostname=${t.host}&myip=192.0.2.8`, {
      version: '1.0',
      headers: ['Connection: keep-alive'],
    })
    expect(kept.headers.get('connection')).toBe('close')
  })

  test('the answer is never compressed', async () => {
    const answer = await t.ask(`hostname=${t.host}`, { headers: ['Accept-Encoding: gzip, br'] })
    expect(answer.headers.has('content-encoding')).toBe(false)
  })

  test('many updates on one connection, answered in order', async () => {
    const one = (n: number, last: boolean) =>
      `GET /nic/update?hostname=${t.host}&myip=192.0.2.${n} HTTP/1.1\r\nHost: h\r\nAuthorization: ${basic(t.ada.username)}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
    const text = await exchange(
      { port: t.port },
      [31, 32, 33].map((n) => one(n, n === 33)).join(''),
    )
    expect([...text.matchAll(/^good \S+$/gm)].map(([line]) => line)).toEqual([
      'good 192.0.2.31',
      'good 192.0.2.32',
      'good 192.0.2.33',
    ])
  })
})

describe('addresses', () => {
  test('both families in any order, one line, in the client’s spelling', async () => {
    expect(await t.said(`hostname=${t.host}&myip=2001:DB8::9,192.0.2.9`)).toBe(
      '200 good 2001:DB8::9,192.0.2.9\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.9', '2001:db8::9'])
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.9,2001:db8:0::9`)).toBe(
      '200 nochg 192.0.2.9,2001:db8:0::9\n',
    )
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.9,2001:db8::a`)).toBe(
      '200 good 192.0.2.9,2001:db8::a\n',
    )
  })

  test('an omitted family is kept', async () => {
    expect(await t.said(`hostname=${t.host}&myip=2001:db8::1`)).toBe('200 good 2001:db8::1\n')
    expect(await t.stored()).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.2`)).toBe('200 good 192.0.2.2\n')
    expect(await t.stored()).toEqual(['192.0.2.2', '2001:db8::1'])
  })

  test.each(['', '&myip=', '&myip=%20'])(
    'without an address (%j) the caller’s own, and only that family',
    async (myip) => {
      await t.said(`hostname=${t.host}&myip=2001:db8::1`)
      expect(await t.said(`hostname=${t.host}${myip}`)).toBe('200 good 127.0.0.1\n')
      expect(await t.stored()).toEqual(['127.0.0.1', '2001:db8::1'])
    },
  )

  test('a caller by IPv6 sets AAAA and keeps A', async () => {
    expect(await t.said(`hostname=${t.host}`, { to: { host: '::1' } })).toBe('200 good ::1\n')
    expect(await t.stored()).toEqual(['192.0.2.1', '::1'])
  })

  test('a header that any client can send does not choose the address', async () => {
    const headers = [
      'X-Forwarded-For: 203.0.113.66',
      'Forwarded: for=203.0.113.66',
      'X-Real-IP: 203.0.113.66',
      'Client-IP: 203.0.113.66',
    ]
    expect(await t.said(`hostname=${t.host}`, { headers })).toBe('200 good 127.0.0.1\n')
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
    expect(await t.said(`hostname=${t.host}&myip=${myip}`)).toBe('200 dnserr\n')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })
})

describe('names', () => {
  test('a list: one line each, in the order of the request', async () => {
    const second = await t.make('second')
    const locked = await t.make('locked')
    await query(t.world.knex, 'update domains set locked = true where id = ?', [locked])
    const list = [t.host, t.fqdn('none'), 'bad..name', t.fqdn('locked'), t.fqdn('second'), t.host]
    expect(await t.said(`hostname=${list.join(',')}&myip=192.0.2.40`)).toBe(
      '200 good 192.0.2.40\nnohost\nnotfqdn\nabuse\ngood 192.0.2.40\ngood 192.0.2.40\n',
    )
    expect(await t.stored(second)).toEqual(['192.0.2.40', null])
    expect(await t.stored(locked)).toEqual([null, null])
  })

  test('20 names are updated, 21 are refused', async () => {
    await query(
      t.world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
       select ?, ?, 'n' || n || ? || '.homing.test', 'A', 60 from generate_series(1, 21) n`,
      [t.ada.id, await zoneId(t.world.knex), `-${t.label}`],
    )
    const names = Array.from({ length: 21 }, (_, n) => `n${n + 1}-${t.label}.homing.test`)
    const twenty = await t.said(`hostname=${names.slice(0, 20).join(',')}&myip=192.0.2.50`)
    expect(twenty).toBe(`200 ${'good 192.0.2.50\n'.repeat(20)}`)
    expect(await t.said(`hostname=${names.join(',')}&myip=192.0.2.51`)).toBe('200 numhost\n')
  })

  test.each(['', 'hostname=', 'hostname=,', 'hostname=YES'])(
    '%j: the only name of the account, and an error if it has several',
    async (search) => {
      const asked = `${search}${search && '&'}myip=192.0.2.60`
      expect(await t.said(asked)).toBe('200 good 192.0.2.60\n')
      await t.make('second')
      expect(await t.said(asked)).toBe('200 notfqdn\n')
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
    expect(await t.said(`${search}${search && '&'}myip=192.0.2.60`)).toBe('200 notfqdn\n')
  })

  test('a name of another account and one that does not exist get the same answer', async () => {
    const bob = await t.world.person(`bob-${t.label}`)
    const his = await t.make('his', { who: bob, ipv4: '192.0.2.1' })
    for (const name of [t.fqdn('his'), t.fqdn('none'), 'homing.test', 'www.example.com']) {
      expect(await t.said(`hostname=${name}&myip=192.0.2.61`)).toBe('200 nohost\n')
    }
    expect(await t.stored(his)).toEqual(['192.0.2.1', null])
  })

  test('upper case, a final dot, other scripts; a wildcard follows its base', async () => {
    const star = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `*.${t.host}`,
      baseId: t.hostId,
      ipv4: '192.0.2.1',
    })
    const answer = await t.ask(`hostname=${t.host.toUpperCase()}.&myip=192.0.2.62`, {
      headers: ['User-Agent: Fritz!Box DDNS/1.0.1'],
    })
    expect(answer.body).toBe('good 192.0.2.62\n')
    expect(await t.stored(star.id)).toEqual(['192.0.2.62', null])
    const clients = await query(
      t.world.knex,
      'select last_update_client as client from domains where id in (?, ?)',
      [t.hostId, star.id],
    )
    const client = 'Fritz!Box DDNS/1.0.1'
    expect(clients).toEqual([{ client }, { client }])
    const idn = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `xn--mnchen-3ya.${t.host}`,
    })
    expect(
      await t.said(`hostname=${encodeURIComponent(`münchen.${t.host}`)}&myip=192.0.2.63`),
    ).toBe('200 good 192.0.2.63\n')
    expect(await t.stored(idn.id)).toEqual(['192.0.2.63', null])
  })

  test('the change is published when the answer arrives', async () => {
    const zone = await zoneId(t.world.knex)
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.64`)).toBe('200 good 192.0.2.64\n')
    const [set] = await query<{ rrsets: unknown }>(
      t.world.knex,
      'select rrsets from dns_change where zone_id = ? and owner = ? order by serial desc limit 1',
      [zone, t.host],
    )
    expect(set?.rrsets).toEqual([{ type: 'A', ttl: 60, rdata: ['192.0.2.64'] }])
    expect((await tableState(t.world.knex, zone))[t.host]).toEqual(set?.rrsets)
  })

  test('the name’s history records who changed it, from where and with which client', async () => {
    await t.ask(`hostname=${t.host}&myip=192.0.2.65`, {
      headers: [`User-Agent: ddclient/3.11 ${'x'.repeat(300)}`],
    })
    const events = await query<object>(
      t.world.knex,
      `select kind, actor, actor_id, host(source_ip) as ip, client, host(new_ipv4) as new from domain_events where domain_id = ?`,
      [t.hostId],
    )
    expect(events).toEqual([
      {
        kind: 'address',
        actor: 'password',
        actor_id: t.ada.id,
        ip: '127.0.0.1',
        client: `ddclient/3.11 ${'x'.repeat(300)}`.slice(0, 200),
        new: '192.0.2.65',
      },
    ])
  })
})
