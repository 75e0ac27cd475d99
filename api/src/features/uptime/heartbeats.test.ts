import type { HeartbeatToken } from '@homing/openapi'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, type Method, problemOf } from '../../../test/support/calls.ts'
import { useUptimeWorld } from '../../../test/support/uptime-world.ts'
import { hasSecretForm, newSecret } from '../../rules/secrets.ts'

const lines = new PassThrough()
const t = useUptimeWorld({ rateLimits: true }, { log: pino({ level: 'trace' }, lines) })
const logged = () => String(lines.read() ?? '')

beforeEach(() => void logged())

const make = async () => (await t.about('POST', '/heartbeat-token')).json<HeartbeatToken>()
const beat = (token: string, method: Method = 'GET', ip = '198.51.100.7') =>
  call(t.world.app, method, `/api/uptime/heartbeat/${token}`, { ip })
const last = async () => (await t.read()).last_heartbeat_at
const anyToken = () => newSecret('heartbeat', t.world.services.randomBytes)

test('the URL is shown once, and stored as a digest', async () => {
  const reply = await t.about('POST', '/heartbeat-token')
  expect(reply.status).toBe(201)
  expect(reply.headers['cache-control']).toBe('no-store')
  const { token, url } = reply.json<HeartbeatToken>()
  expect(hasSecretForm(token)).toBe(true)
  expect(url).toBe(`http://localhost:8080/api/uptime/heartbeat/${token}`)
  expect(await t.read()).toMatchObject({ has_heartbeat_token: true, state: 'off' })
  expect(JSON.stringify(await t.sql('select m::text from monitors m'))).not.toContain(token)
})

describe('a heartbeat', () => {
  test('is recorded, by GET and HEAD, with a query, and under any host', async () => {
    await t.turn(true)
    const { token } = await make()
    const reply = await beat(token)
    expect([reply.status, reply.text]).toEqual([200, 'ok\n'])
    expect(Date.parse((await last()) ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await t.sql('update monitor_schedule set last_heartbeat_at = null')
    const url = `/api/uptime/heartbeat/${token}`
    const head = await t.world.app.inject({ method: 'HEAD', url: `${url}?status=up&msg=OK` })
    expect(head.statusCode).toBe(200)
    expect(await last()).not.toBeNull()
    const elsewhere = { headers: { host: 'other.test' } }
    expect((await call(t.world.app, 'GET', url, elsewhere)).status).toBe(200)
  })

  test('is written at most once in five seconds', async () => {
    await t.turn(true)
    const { token } = await make()
    await beat(token)
    const first = await last()
    for (let n = 0; n < 5; n += 1) expect((await beat(token)).status).toBe(200)
    expect(await last()).toBe(first)
    await t.sql(`update monitor_schedule set last_heartbeat_at = now() - interval '6 seconds'`)
    await beat(token)
    expect(Date.parse((await last()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
  })

  test('an earlier URL stops working', async () => {
    await t.turn(true)
    const { token: former } = await make()
    expect((await beat(former)).status).toBe(200)
    const { token } = await make()
    expect((await beat(former)).status).toBe(404)
    expect((await beat(token)).status).toBe(200)
  })

  test('while the monitor is turned off changes nothing', async () => {
    const { token } = await make()
    expect((await beat(token)).status).toBe(200)
    expect(await last()).toBeNull()
  })

  test('of an unknown token: the same response for every token', async () => {
    const { token } = await make()
    const wrong = [
      anyToken(),
      `${token.slice(0, -1)}!`,
      'x',
      'hb_',
      token.toLowerCase(),
      '1'.repeat(64),
    ]
    const replies = []
    for (const each of wrong) replies.push(problemOf(await beat(each, 'GET', '203.0.113.9')))
    for (const { status, code, detail } of replies) {
      expect({ status, code, detail }).toEqual({
        status: 404,
        code: 'not-found',
        detail:
          'This heartbeat URL is unknown. Copy it again, or create another one in the Monitor tab of the domain.',
      })
    }
  })

  test('many unknown tokens of one network are refused, and valid ones are not', async () => {
    await t.turn(true)
    const { token } = await make()
    const ip = '203.0.113.77'
    expect((await beat(token, 'GET', ip)).status).toBe(200)
    const statuses: number[] = []
    for (let n = 0; n < 70; n += 1) statuses.push((await beat(anyToken(), 'GET', ip)).status)
    expect(statuses[0]).toBe(404)
    expect(statuses.at(-1)).toBe(429)
    expect((await beat(token, 'GET', ip)).status).toBe(200)
  })
})

test('no log contains the token', async () => {
  const { token } = await make()
  await beat(token)
  await beat(anyToken())
  await beat(token, 'POST')
  const text = logged()
  expect(text).toContain('/api/uptime/heartbeat/')
  expect(text).not.toContain('hb_')
})
