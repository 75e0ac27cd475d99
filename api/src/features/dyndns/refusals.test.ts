/** Refused names, accounts and callers, and an unavailable store. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { basic, useUpdateWorld } from '../../../test/support/update-world.ts'
import { UpdateNotStored } from '../../feed/address-change.ts'
import { query } from '../../database/sql.ts'

const t = useUpdateWorld()

describe('states of names and accounts', () => {
  test.each(['locked', 'over_limit', 'owner_blocked'])(
    '%s: abuse, also for the same address, and nothing is stored',
    async (column) => {
      await query(t.world.knex, `update domains set ${column} = true where id = ?`, [t.hostId])
      expect(await t.said(`hostname=${t.host}&myip=192.0.2.70`)).toBe('200 abuse\n')
      expect(await t.said(`hostname=${t.host}&myip=192.0.2.1`)).toBe('200 abuse\n')
      expect(await t.stored()).toEqual(['192.0.2.1', null])
    },
  )

  test('paused by its owner: stored, good', async () => {
    await query(t.world.knex, 'update domains set paused = true where id = ?', [t.hostId])
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.71`)).toBe('200 good 192.0.2.71\n')
    expect(await t.stored()).toEqual(['192.0.2.71', null])
  })

  test.each([`enabled = false`, `account_type = 'disabled'`])(
    'an account with %s: one abuse line, at once',
    async (assignment) => {
      const two = `hostname=${t.host},${t.fqdn('other')}&myip=192.0.2.72`
      expect(await t.said(two)).toBe('200 good 192.0.2.72\nnohost\n')
      await query(t.world.knex, `update users set ${assignment} where id = ?`, [t.ada.id])
      expect(await t.said(two)).toBe('200 abuse\n')
      expect(await t.stored()).toEqual(['192.0.2.72', null])
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
    ['an invalid key', () => 'Bearer ak_00000000000000000000000000000000'],
    ['another scheme', () => 'Digest username="ada"'],
    ['a header too long', () => `Basic ${'A'.repeat(4000)}`],
  ])('%s: badauth, whatever else the request contains', async (_, header) => {
    for (const search of [
      `hostname=${t.host}&myip=192.0.2.80`,
      'hostname=none',
      '',
      'hostname=x&myip=y',
    ]) {
      expect(await t.said(search, { authorization: header(t.ada) })).toBe('401 badauth\n')
    }
    expect(await t.stored()).toEqual(['192.0.2.1', null])
  })

  test('the account’s email address works like its name, in any letter case', async () => {
    const authorization = basic(`${t.ada.username}@MAIL.test`.toUpperCase())
    expect(await t.said(`hostname=${t.host}&myip=192.0.2.81`, { authorization })).toBe(
      '200 good 192.0.2.81\n',
    )
    expect(
      await t.said(`hostname=${t.host}&myip=192.0.2.81`, {
        authorization: basic(t.ada.username.toUpperCase()),
      }),
    ).toBe('200 nochg 192.0.2.81\n')
  })

  test('a right password is evaluated once, and not accepted after it was changed', async () => {
    const { passwords } = t.world.services
    const verify = passwords.verify.bind(passwords)
    let tried = 0
    passwords.verify = async (hash, text) => {
      tried += 1
      return verify(hash, text)
    }
    try {
      for (let n = 0; n < 5; n += 1) await t.said(`hostname=${t.host}&myip=192.0.2.82`)
      expect(tried).toBe(1)
      await query(
        t.world.knex,
        `update users set password_hash = ?, credential_version = credential_version + 1 where id = ?`,
        [await passwords.hash('another password'), t.ada.id],
      )
      expect(await t.said(`hostname=${t.host}&myip=192.0.2.83`)).toBe('401 badauth\n')
      expect(
        await t.said(`hostname=${t.host}&myip=192.0.2.83`, {
          authorization: basic(t.ada.username, 'another password'),
        }),
      ).toBe('200 good 192.0.2.83\n')
    } finally {
      passwords.verify = verify
    }
  })

  test('an API key as the password of any name, or as Bearer', async () => {
    const made = await t.world.app.inject({
      method: 'POST',
      url: '/api/api-keys/',
      headers: t.ada.headers,
      payload: { name: 'router' },
    })
    const { key } = made.json<{ key: string }>()
    expect(
      await t.said(`hostname=${t.host}&myip=192.0.2.84`, { authorization: basic('none', key) }),
    ).toBe('200 good 192.0.2.84\n')
    expect(
      await t.said(`hostname=${t.host}&myip=192.0.2.85`, { authorization: `Bearer ${key}` }),
    ).toBe('200 good 192.0.2.85\n')
    await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
    expect(
      await t.said(`hostname=${t.host}&myip=192.0.2.86`, { authorization: `Bearer ${key}` }),
    ).toBe('401 badauth\n')
  })
})

describe('when the update cannot be stored', () => {
  test('the store refuses: 503, Retry-After, dnserr; the other names are stored', async () => {
    const other = await t.make('other')
    const { coalescer } = t.world.services
    const submit = coalescer.submit.bind(coalescer)
    coalescer.submit = async (change) => {
      if (change.domainId === other) throw new UpdateNotStored(new Error('disk full'))
      return submit(change)
    }
    try {
      const answer = await t.ask(`hostname=${t.host},${t.fqdn('other')}&myip=192.0.2.100`)
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
    t.ask(search, {
      authorization: basic('bob', password),
      to: { port: limitedPort },
      headers: [`X-Forwarded-For: 1.1.1.1, ${from}`],
    })

  test('behind a proxy: the last address that no trusted proxy added; others do not count', async () => {
    expect((await asBob('hostname=bobs.homing.test')).body).toBe('good 9.9.9.9\n')
  })

  test.each(['unknown', '9.9.9.9:4711'])(
    'a proxy that sends %s: a given address is used, and no address is guessed',
    async (told) => {
      const { id } = await insertDomain(limited.knex, { userId: bob.id, fqdn: t.fqdn('told') })
      const given = await asBob(`hostname=${t.fqdn('told')}&myip=9.9.9.8`, PASSWORD, told)
      expect([given.status, given.body]).toEqual([200, 'good 9.9.9.8\n'])
      const guessed = await asBob(`hostname=${t.fqdn('told')}`, PASSWORD, told)
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

  test('a caller who guesses is refused, and the owner can still update from elsewhere', async () => {
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

test('an unavailable database: 503 dnserr with Retry-After, never good; and it recovers automatically', async () => {
  const away = await openApiWorld()
  const carol = await away.person('carol')
  await insertDomain(away.knex, { userId: carol.id, fqdn: 'carols.homing.test' })
  await away.app.listen({ host: '127.0.0.1', port: 0 })
  const to = { port: (away.app.server.address() as AddressInfo).port }
  const asked = { authorization: basic('carol'), to }
  expect(await t.said('hostname=carols.homing.test&myip=192.0.2.1', asked)).toBe(
    '200 good 192.0.2.1\n',
  )
  await query(away.knex, 'alter table domains rename to domains_away')
  const answer = await t.ask('hostname=carols.homing.test&myip=192.0.2.2', asked)
  expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
    503,
    'dnserr\n',
    '30',
  ])
  await query(away.knex, 'alter table domains_away rename to domains')
  expect(await t.said('hostname=carols.homing.test&myip=192.0.2.2', asked)).toBe(
    '200 good 192.0.2.2\n',
  )
  await away.end()
})
