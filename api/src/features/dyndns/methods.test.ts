/** HEAD, forms, and methods and bodies that no client should send. */
import { describe, expect, test } from 'vitest'
import { answerOf, exchange } from '../../../test/support/raw-http.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'

const t = useUpdateWorld()

describe('methods', () => {
  test('HEAD checks the credentials, and writes nothing', async () => {
    const right = await t.ask(`hostname=${t.host}&myip=192.0.2.90`, { method: 'HEAD' })
    expect([right.status, right.body]).toEqual([200, ''])
    expect(right.headers.has('strict-transport-security')).toBe(false)
    expect(right.headers.has('content-security-policy')).toBe(false)
    for (const authorization of [null, basic(t.ada.username, 'a wrong password')]) {
      const wrong = await t.ask(`hostname=${t.host}&myip=192.0.2.90`, {
        method: 'HEAD',
        authorization,
      })
      expect([wrong.status, wrong.body]).toEqual([401, ''])
    }
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test.each(['POST', 'PUT'])('%s with parameters in the query or in a form', async (method) => {
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.91`, { method, body: '' })).toBe(
      '200 good 192.0.2.91\n',
    )
    const form = {
      method,
      headers: ['Content-Type: application/x-www-form-urlencoded'],
      body: `hostname=${t.host}&myip=192.0.2.92`,
    }
    expect(await t.said('', form)).toBe('200 good 192.0.2.92\n')
    // The query takes precedence.
    expect(await t.said('myip=192.0.2.93', form)).toBe('200 good 192.0.2.93\n')
  })

  test.each([
    'application/json',
    'multipart/form-data; boundary=x',
    'text/xml',
    'application/octet-stream',
  ])('a body of type %s is not read', async (type) => {
    const answer = await t.said(`hostname=${t.host}&myip=192.0.2.94`, {
      method: 'POST',
      headers: [`Content-Type: ${type}`],
      body: '{"broken',
    })
    expect(answer).toBe('200 good 192.0.2.94\n')
  })

  test('a request that is not HTTP gets a line of text', async () => {
    const large = await t.said(`hostname=${t.host}`, {
      method: 'POST',
      headers: ['Content-Type: text/plain'],
      body: 'x'.repeat(100_000),
    })
    expect(large).toBe('200 badagent\n')
    for (const method of ['DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await t.ask(`hostname=${t.host}`, { method, body: '' })
      expect([answer.status, answer.body, answer.headers.get('allow')]).toEqual([
        405,
        'badagent\n',
        'GET, HEAD, POST, PUT',
      ])
    }
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test.each([
    ['no Host', 'Connection: close'],
    ['an expectation that nobody knows', 'Host: x\r\nConnection: close\r\nExpect: an answer'],
  ])('%s: the update is made nevertheless', async (_, headers) => {
    const request =
      `GET /nic/update?hostname=${t.host}&myip=192.0.2.7 HTTP/1.1\r\n` +
      `Authorization: ${basic(t.ada.username)}\r\n${headers}\r\n\r\n`
    const answer = answerOf(await exchange({ port: t.port }, request))
    expect([answer.status, answer.body]).toEqual([200, 'good 192.0.2.7\n'])
    expect(answer.headers.has('transfer-encoding')).toBe(false)
  })

  test('an endless URL is an invalid request, too', async () => {
    const long = await t.ask(`hostname=${`${t.host},`.repeat(2000)}`)
    expect([long.status, long.body]).toEqual([200, 'badagent\n'])
    expect(long.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('repeated parameters', async () => {
    expect(
      await t.said(
        `hostname=${t.fqdn('none')}&hostname=${t.host}&myip=192.0.2.95&myip=2001:db8::95`,
      ),
    ).toBe('200 good 192.0.2.95,2001:db8::95\n')
  })
})
