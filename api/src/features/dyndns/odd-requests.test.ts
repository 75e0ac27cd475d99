/** Malformed requests of devices, octet by octet. */
import { describe, expect, test } from 'vitest'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()

/** A request line as given, with the owner's credentials. */
const send = async (line: string, more = '') => {
  const { status, body, headers } = await t.send(
    `${line}\r\nAuthorization: ${basic(t.ada.username)}\r\nConnection: close\r\n${more}\r\n`,
  )
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(headers.has('location')).toBe(false)
  return `${status} ${body}`
}

describe('FRITZ!Box', () => {
  test('two URLs in one field, sent with the space', async () => {
    const two = `GET /nic/update?hostname=${t.host}&myip=192.0.2.7 http://svc.test/nic/update?hostname=${t.host}&myipv6=2001:db8::7 HTTP/1.1`
    expect(await send(two)).toBe('200 good 192.0.2.7,2001:db8::7\n')
    expect(await t.stored()).toEqual(['192.0.2.7', '2001:db8::7'])
  })

  test('two URLs without a query, the space escaped', async () => {
    expect(await send('GET /nic/update%20http:/svc.test/nic/update HTTP/1.1')).toBe(
      '200 good 127.0.0.1\n',
    )
    expect(
      await send(
        `GET /nic/update%20https://svc.test/nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.1`,
      ),
    ).toBe('200 good 192.0.2.7\n')
  })

  test('the space escaped inside the query', async () => {
    expect(
      await send(
        `GET /nic/update?hostname=${t.host}&myip=192.0.2.7%20http://svc.test/nic/update?myip=x HTTP/1.1`,
      ),
    ).toBe('200 good 192.0.2.7\n')
  })

  test('a prefix where the address belongs', async () => {
    expect(await send(`GET /nic/update?hostname=${t.host}&myip=2001:db8:1:2::/64 HTTP/1.1`)).toBe(
      '200 dnserr\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })
})

describe('UniFi', () => {
  test('no slash before the path, HTTP/1.0', async () => {
    const line = `GET nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.0`
    expect(await send(line)).toBe('200 good 192.0.2.7\n')
    expect(await t.stored()).toEqual(['192.0.2.7', null])
  })

  test('the name appended to the address', async () => {
    expect(await send(`GET /nic/update?myip=192.0.2.7${t.host} HTTP/1.1`)).toBe('200 dnserr\n')
    expect(
      await send(`GET /nic/update?hostname=${t.host}&myip=1.1.1.1host2.example HTTP/1.1`),
    ).toBe('200 dnserr\n')
  })

  test('the name given twice, or left out', async () => {
    expect(
      await send(`GET /nic/update?hostname=%h&hostname=${t.host}&myip=192.0.2.7 HTTP/1.1`),
    ).toBe('200 good 192.0.2.7\n')
    expect(await send('GET /nic/update?hostname=&myip=192.0.2.8 HTTP/1.1')).toBe(
      '200 good 192.0.2.8\n',
    )
  })
})

describe('templates that were not filled in', () => {
  test.each(['<ipaddr>', '%i', '__MYIP__', '@IP', '[IP]', '{ip}', '%IP%', '$ip'])(
    'myip=%s: dnserr',
    async (template) => {
      for (const text of [template, encodeURIComponent(template)]) {
        const answer = await send(`GET /nic/update?hostname=${t.host}&myip=${text} HTTP/1.1`)
        expect(answer).toBe('200 dnserr\n')
      }
      expect(await t.stored()).toEqual(['192.0.2.1', null])
    },
  )

  test.each(['<domain>', '%h', '__HOSTNAME__', '[DOMAIN]'])(
    'hostname=%s: notfqdn',
    async (text) => {
      expect(await send(`GET /nic/update?hostname=${text}&myip=192.0.2.7 HTTP/1.1`)).toBe(
        '200 notfqdn\n',
      )
      expect(await t.stored()).toEqual(['192.0.2.1', null])
    },
  )
})

describe('what no route was made for', () => {
  test('a whole URL, as proxies ask', async () => {
    const url = `http://update.homing.test/nic/update?hostname=${t.host}&myip=192.0.2.7`
    expect(await send(`GET ${url} HTTP/1.1`)).toBe('200 good 192.0.2.7\n')
  })

  test('letters of other scripts, and control characters, as they are', async () => {
    await t.add(`xn--mnchen-3ya.${t.host}`)
    expect(await send(`GET /nic/update?hostname=münchen.${t.host}&myip=192.0.2.7 HTTP/1.1`)).toBe(
      '200 good 192.0.2.7\n',
    )
    expect(await send(`GET /nic/update?hostname=${t.host}&myip=1\u0001 HTTP/1.1`)).toBe(
      '200 dnserr\n',
    )
  })

  test('a repaired request requires its credentials, and HEAD writes nothing', async () => {
    const line = `GET nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.1`
    const open = await t.send(`${line}\r\nHost: x\r\n\r\n`)
    expect([open.status, open.body]).toEqual([401, 'badauth\n'])
    expect(open.headers.get('www-authenticate')).toBe('Basic realm="Homing", charset="UTF-8"')
    const head = await t.send(
      `${line.replace('GET', 'HEAD')}\r\nAuthorization: ${basic(t.ada.username)}\r\n\r\n`,
    )
    expect([head.status, head.body]).toEqual([200, ''])
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('a header that others may send does not choose the address of a repaired request', async () => {
    const line = `GET nic/update?hostname=${t.host} HTTP/1.1`
    expect(await send(line, 'X-Forwarded-For: 203.0.113.66\r\n')).toBe('200 good 127.0.0.1\n')
  })

  test.each([
    ['User-Agent: inadyn/2.12.0\r\n', 'inadyn/2.12.0'],
    ['', null],
  ])('the client of a repaired request is its User-Agent: %j', async (header, client) => {
    const line = `GET nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.1`
    expect(await send(line, header)).toBe('200 good 192.0.2.7\n')
    const [event] = await query<{ client: string | null }>(
      t.world.knex,
      'select client from domain_events where domain_id = ? order by id desc limit 1',
      [t.hostId],
    )
    expect(event).toEqual({ client })
  })

  test('a method in lower case is refused', async () => {
    expect(await send(`get /nic/update?hostname=${t.host} HTTP/1.1`)).toBe('200 badagent\n')
  })

  test.each(['User-Agent: a\0b', 'User-Agent: a\u001b[31m', 'no header at all', 'two words: x'])(
    'a repaired request with the header line %j is refused, like one with a valid request line',
    async (header) => {
      const rest = `nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.1`
      expect(await send(`GET ${rest}`, `${header}\r\n`)).toBe('200 badagent\n')
      expect(await send(`GET /${rest}`, `${header}\r\n`)).toBe('200 badagent\n')
      expect(await t.stored()).toEqual(['192.0.2.1', null])
    },
  )

  test.each([
    'POST nic/update?myip=192.0.2.7 HTTP/1.1',
    'GET /nic/update?myip=192.0.2.7 HTTP/9.9',
    'GET /nic/update?myip=192.0.2.7 FTP/1.1',
    'GET  HTTP/1.1 /nic/update',
  ])('%s is answered, and stores nothing', async (line) => {
    const { status, body } = await t.send(`${line}\r\n\r\n`)
    expect([200, 400, 401]).toContain(status)
    expect(body).not.toContain('192.0.2.7')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })
})

test.each([
  '/u/',
  '/u',
  '/u/ut_abc/more',
  '/update/home.homing.test',
  '/update/a/b/c/d',
  '/update/%20/',
])('%s is not a known URL, and must not make a client give up for good', async (path) => {
  expect(await send(`GET ${path} HTTP/1.1`)).toBe('200 badagent\n')
})

describe('hostile queries', () => {
  const long = 'x'.repeat(8000)
  test.each([
    `hostname=${long}`,
    `hostname=home.homing.test&myip=${long}`,
    `${long}=1`,
    `hostname=${'a.homing.test,'.repeat(550)}`,
    'hostname=a.homing.test&'.repeat(340),
    'a=1&'.repeat(2000),
    'hostname=%00',
    'hostname=%',
    'hostname=%e0%a4%a',
    'hostname[]=x&hostname[a]=y',
    '__proto__=x&constructor=y&toString=z',
    'hostname=__proto__&myip=constructor',
    'hostname=a%0d%0aSet-Cookie:%20x=y&myip=1%0d%0aX: y',
    '&&&===&=&',
    'myipv6:=x&myipv6:__proto__=::1&myipv4:a..b=',
    'token=%00&key=%ff&password=%zz',
    'hostname=<script>alert(1)</script>',
    `myip=${':'.repeat(4000)}`,
    `myip=${'1.'.repeat(3000)}`,
    `ip6lanprefix=${'/'.repeat(4000)}`,
  ])('%s', async (search) => {
    const query = search.replaceAll(' ', '%20')
    const answer = await t.ask(query)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(
      /^((good|nochg) 127\.0\.0\.1\n|((notfqdn|nohost|dnserr)\n)+|numhost\n)$/,
    )
    expect(answer.headers.has('set-cookie')).toBe(false)
    expect(answer.body.length).toBeLessThan(8000)
  })
})

test('twenty names of the greatest length are answered in less than 8 KB', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `${'a'.repeat(60)}${n}.homing.test`)
  const ipv6 = '2001:0db8:0000:0000:0000:0000:0000:0001'
  for (const name of names) await t.add(name)
  const answer = await t.ask(`hostname=${names.join(',')}&myip=192.0.2.200,${ipv6}`)
  expect(answer.body).toBe(`good 192.0.2.200,${ipv6}\n`.repeat(20))
  expect(answer.body.length).toBeLessThan(7500)
})
