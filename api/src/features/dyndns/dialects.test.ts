/** Each dialect as its clients speak it, over real sockets. */
import { beforeEach, describe, expect, test } from 'vitest'
import { useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld()
let token: string
beforeEach(async () => {
  token = await t.token()
})
/** A client that sends a token in the URL sends no header. */
const open = (path: string, method = 'GET') => ({ path, method, authorization: null })

describe('every path of the common dialect', () => {
  test.each([
    '/nic/update',
    '/v2/update',
    '/v3/update',
    '/dyndns/update',
    '/api/domains/update',
    '/api/domains/nic/update',
    '/update',
    '/nic/update/',
    '/update/',
    '//nic/update',
  ])('%s', async (path) => {
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.7`, { path })).toBe('200 good 192.0.2.7\n')
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.7`, { path })).toBe(
      '200 nochg 192.0.2.7\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.7', null])
  })

  test('names of parameters in any case', async () => {
    expect(await t.said(`Hostname=${t.host}&MyIP=192.0.2.7`)).toBe('200 good 192.0.2.7\n')
  })
})

describe('DuckDNS', () => {
  const ask = (search: string, method?: string) => t.said(search, open('/update', method))

  test('OK, and the changes', async () => {
    expect(await ask(`domains=${t.host}&token=${token}&ip=192.0.2.7`)).toBe('200 OK')
    expect(await t.stored()).toEqual(['192.0.2.7', null])
    expect(await ask(`domains=${t.host}&token=${token}&ip=192.0.2.8&verbose=true`)).toBe(
      '200 OK\n192.0.2.8\n\nUPDATED',
    )
    const both = `domains=${t.host}&token=${token}&ip=192.0.2.8&ipv6=2001:db8::8&verbose=true`
    expect(await ask(both)).toBe('200 OK\n192.0.2.8\n2001:db8::8\nUPDATED')
    expect(await ask(both)).toBe('200 OK\n192.0.2.8\n2001:db8::8\nNOCHANGE')
  })

  test('without an address the caller’s own; a label means the token’s name', async () => {
    const label = t.host.split('.')[0]
    expect(await ask(`domains=${label}&token=${token}&ip=`)).toBe('200 OK')
    expect(await t.stored()).toEqual(['127.0.0.1', null])
    expect(await ask(`domains=other&token=${token}&ip=192.0.2.7`)).toBe('200 KO')
    expect(await t.stored()).toEqual(['127.0.0.1', null])
  })

  test('clear withdraws both families; txt stores nothing and moves no address', async () => {
    expect(await ask(`domains=${t.host}&token=${token}&txt=proof`)).toBe('200 OK')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
    expect(await ask(`domains=${t.host}&token=${token}&clear=true`)).toBe('200 OK')
    expect(await t.stored()).toEqual([null, null])
  })

  test.each([
    ['an invalid token', (host: string) => `domains=${host}&token=x&ip=192.0.2.7`],
    [
      'an invalid address',
      (host: string, secret: string) => `domains=${host}&token=${secret}&ip=x`,
    ],
    [
      'a name of another domain',
      (host: string, secret: string) => `domains=x.${host}&token=${secret}&ip=192.0.2.7`,
    ],
    ['no token', (host: string) => `domains=${host}&token=&ip=192.0.2.7`],
  ])('%s: KO', async (_, search) => {
    expect(await ask(search(t.host, token))).toBe('200 KO')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('in the path, for devices that can send no parameters', async () => {
    expect(await t.said('', open(`/update/${t.host}/${token}/192.0.2.9`))).toBe('200 OK')
    expect(await t.stored()).toEqual(['192.0.2.9', null])
    expect(await t.said('', open(`/update/${t.host}/${token}`))).toBe('200 OK')
    expect(await t.stored()).toEqual(['127.0.0.1', null])
    expect(await t.said('', open(`/update/${t.host}/${token}/2001:db8::9/`))).toBe('200 OK')
    expect(await t.stored()).toEqual(['127.0.0.1', '2001:db8::9'])
    expect(await t.said('', open(`/update/${t.host}/nobody`))).toBe('200 KO')
  })

  test('without `domains` and `token` it is the common dialect', async () => {
    const answer = await t.said(`hostname=${t.host}&token=${token}&ip=192.0.2.7`, open('/update'))
    expect(answer).toBe('200 good 192.0.2.7\n')
  })
})

describe('dynv6', () => {
  const ask = (search: string) => t.said(search, open('/api/update'))

  test('a sentence for all names', async () => {
    expect(await ask(`zone=${t.host}&token=${token}&ipv4=192.0.2.7`)).toBe(
      '200 addresses updated\n',
    )
    expect(await ask(`hostname=${t.host}&token=${token}&ipv4=auto`)).toBe('200 addresses updated\n')
    expect(await t.stored()).toEqual(['127.0.0.1', null])
    expect(await ask(`Hostname=${t.host}&token=${token}&ipv4=auto&ipv6=auto`)).toBe(
      '200 addresses unchanged\n',
    )
    expect(await ask(`zone=${t.host}&token=${token}&ipv6=2001:db8::7/64`)).toBe(
      '200 addresses updated\n',
    )
    expect(await ask(`zone=${t.host}&token=${token}&ipv4=-`)).toBe('200 addresses updated\n')
    expect(await t.stored()).toEqual([null, '2001:db8::7'])
  })

  test('refusals', async () => {
    expect(await ask(`zone=${t.host}&token=wrong&ipv4=192.0.2.7`)).toBe(
      '401 invalid authentication token\n',
    )
    expect(await ask(`zone=x.${t.host}&token=${token}&ipv4=192.0.2.7`)).toBe('200 zone not found\n')
    expect(await ask(`zone=${t.host}&token=${token}&ipv4=x`)).toBe('200 dnserr\n')
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('a prefix alone keeps the name’s own addresses', async () => {
    expect(await ask(`zone=${t.host}&token=${token}&ipv6prefix=2001:db8:5::/64`)).toBe(
      '200 addresses unchanged\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })
})

describe('a key in the path', () => {
  test.each(['', '/'])('/u/{key}%s', async (end) => {
    expect(await t.said('address=192.0.2.7', open(`/u/${token}${end}`))).toBe(
      '200 good 192.0.2.7\n',
    )
    expect(await t.said('', open(`/u/${token}${end}`))).toBe('200 good 127.0.0.1\n')
  })

  test.each(['ut_000000000000000000000000000000000000', 'x', '%00', 'a'.repeat(3000), '%zz'])(
    '/u/%s is refused',
    async (key) => {
      const { status, body, headers } = await t.ask('', open(`/u/${key}`))
      expect([401, 200]).toContain(status)
      expect(['badauth\n', 'badagent\n']).toContain(body)
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(headers.has('strict-transport-security')).toBe(false)
    },
  )
})

describe('withdrawing', () => {
  test('offline, for every plan', async () => {
    expect(await t.said(`hostname=${t.host}&offline=YES`)).toBe('200 good\n')
    expect(await t.stored()).toEqual([null, null])
    expect(await t.said(`hostname=${t.host}&offline=YES&myip=192.0.2.1`)).toBe(
      '200 nochg 192.0.2.1\n',
    )
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.1`)).toBe('200 good 192.0.2.1\n')
  })

  test('/nic/delete', async () => {
    await t.said(`hostname=${t.host}&myip=192.0.2.7,2001:db8::7`)
    const path = '/nic/delete'
    expect(await t.said(`hostname=${t.host}&myip=2001:db8::7`, { path })).toBe(
      '200 good 2001:db8::7\n',
    )
    expect(await t.stored()).toEqual(['192.0.2.7', null])
    expect(await t.said(`hostname=${t.host}`, { path })).toBe('200 good\n')
    expect(await t.said(`hostname=${t.host}`, { path })).toBe('200 nochg\n')
    expect(await t.stored()).toEqual([null, null])
  })

  test('one family, by an empty parameter or a dash', async () => {
    await t.said(`hostname=${t.host}&myip=192.0.2.7,2001:db8::7`)
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.8&myipv6=`)).toBe('200 good 192.0.2.8\n')
    expect(await t.stored()).toEqual(['192.0.2.8', null])
    expect(await t.said(`hostname=${t.host}&ipv4=-`)).toBe('200 good\n')
    expect(await t.said(`hostname=${t.host}&myip=no&myipv6=preserve`)).toBe('200 nochg\n')
    expect(await t.stored()).toEqual([null, null])
  })

  test('a request that keeps everything gets the current addresses', async () => {
    expect(await t.said(`hostname=${t.host}&myip=preserve`)).toBe('200 nochg 192.0.2.1\n')
  })
})

describe('the caller’s own address', () => {
  test.each([
    ['/checkip', 'text/plain; charset=utf-8', '127.0.0.1\n'],
    ['/nic/checkip', 'text/plain; charset=utf-8', '127.0.0.1\n'],
    [
      '/nic/checkip.html',
      'text/html; charset=utf-8',
      '<html><head><title>Current IP Check</title></head><body>Current IP Address: 127.0.0.1</body></html>\n',
    ],
  ])('%s', async (path, type, body) => {
    const answer = await t.ask('', { ...open(path), headers: ['X-Forwarded-For: 203.0.113.9'] })
    expect([answer.status, answer.body]).toEqual([200, body])
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': type,
      'content-length': String(body.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.any(String),
    })
    const byIpv6 = await t.ask('', { ...open(path), to: { host: '::1' } })
    expect(byIpv6.body).toBe(body.replace('127.0.0.1', '::1'))
  })
})
