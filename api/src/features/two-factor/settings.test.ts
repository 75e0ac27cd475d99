/** Turning two factors on and off, and recovery codes. */
import type { RecoveryCodes, SecondFactors, TotpSetup } from '@homing/openapi'
import { decodeQR } from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import {
  codeAt,
  loginTokenOf,
  passwordStep,
  secondStep,
  wrongCodeAt,
} from '../../../test/support/second-factor.ts'
import { useSecondFactorWorld } from '../../../test/support/second-factor-world.ts'
import { query } from '../../database/sql.ts'

const t = useSecondFactorWorld({ productName: 'Heim & Netz' })

const begin = async () => (await t.post('/api/me/totp')).json<TotpSetup>()
const confirm = (code: string) => t.post('/api/me/totp/confirm', { code })
const turnOff = () => call(t.world.app, 'DELETE', '/api/me/totp', { headers: t.ada.headers })
const factors = async () => {
  const reply = await call(t.world.app, 'GET', '/api/me/second-factors', { headers: t.ada.headers })
  return reply.json<SecondFactors>()
}

/** Subjects of the mails that wait to be sent to the account. */
async function mails(): Promise<string[]> {
  const mailer = new KeepingMailer()
  await runJobs(t.world.services, mailer)
  const to = `${t.ada.username}@mail.test`
  return mailer.sent.filter((mail) => mail.to === to).map(({ subject }) => subject)
}

const OFF = {
  is_on: false,
  methods: [],
  totp_since: null,
  passkeys: 0,
  recovery_codes_left: 0,
}

describe('POST /api/me/totp', () => {
  test('returns the data for an app, as text and as a picture', async () => {
    const setup = await begin()
    expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(setup.otpauth_uri)
    expect(uri.href).toContain(`otpauth://totp/Heim%20%26%20Netz:${t.ada.username}?`)
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Heim & Netz',
      secret: setup.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(setup.qr_svg).toMatch(/^<svg /)
    expect(setup.qr_svg).not.toMatch(/script|href="|style=/)
  })

  test('the QR code reads as the URI', async () => {
    const { qr_rows: rows, otpauth_uri } = await begin()
    const size = rows.length
    // Three pixels per module, black on white, as a camera would see it.
    const scale = 3
    const pixels = new Uint8Array((size * scale) ** 2 * 4)
    for (let y = 0; y < size * scale; y += 1) {
      for (let x = 0; x < size * scale; x += 1) {
        const isDark = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === '1'
        pixels.fill(isDark ? 0 : 255, (y * size * scale + x) * 4, (y * size * scale + x) * 4 + 4)
      }
    }
    const image = { width: size * scale, height: size * scale, data: pixels }
    expect(decodeQR(image)).toBe(otpauth_uri)
  })

  test('requires nothing yet', async () => {
    await begin()
    expect(await factors()).toEqual(OFF)
    expect(await passwordStep(t.world, t.ada.username)).toHaveProperty('token')
    expect(await mails()).toEqual([])
  })

  test('when begun again, the first secret is invalid', async () => {
    const first = await begin()
    const second = await begin()
    expect(second.secret).not.toBe(first.secret)
    expect(problemOf(await confirm(codeAt(first.secret, t.clock))).status).toBe(422)
    expect((await confirm(codeAt(second.secret, t.clock))).status).toBe(200)
  })

  test('the secret is encrypted in the database, and in no job', async () => {
    const { secret } = await begin()
    await confirm(codeAt(secret, t.clock))
    const rows = await query<{ text: string }>(
      t.world.knex,
      `select t::text as text from totp_secrets t union all select t::text from pgboss.job t`,
    )
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).toContain('v1.')
    expect(all).not.toContain(secret)
  })

  test('with an active app: 409', async () => {
    await t.addApp()
    expect(problemOf(await t.post('/api/me/totp')).code).toBe('conflict')
    expect(problemOf(await confirm('123456')).code).toBe('conflict')
  })
})

describe('POST /api/me/totp/confirm', () => {
  test('turns it on, notifies the owner, and returns ten recovery codes once', async () => {
    const { secret } = await begin()
    const reply = await confirm(codeAt(secret, t.clock))
    expect(reply.status).toBe(200)
    const codes = reply.json<RecoveryCodes>().recovery_codes ?? []
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) {
      // 28 letters of 5 bits.
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{7}(-[0-9A-HJKMNP-TV-Z]{7}){3}$/)
    }
    expect(await factors()).toEqual({
      is_on: true,
      methods: ['totp', 'recovery_code'],
      totp_since: t.clock.toISOString(),
      passkeys: 0,
      recovery_codes_left: 10,
    })
    expect(await mails()).toEqual(['Heim & Netz: An authenticator app was added to your account'])
    const kept = await query<{ text: string }>(
      t.world.knex,
      `select t::text as text from recovery_codes t union all select t::text from pgboss.job t`,
    )
    const all = kept.map(({ text }) => text).join('\n')
    for (const code of codes) {
      expect(all).not.toContain(code)
      expect(all).not.toContain(code.replaceAll('-', ''))
    }
  })

  test('all other sessions end, this one continues', async () => {
    const other = await t.world.signIn(t.ada.id)
    await t.addApp()
    expect((await t.me(other)).status).toBe(401)
    expect((await t.me()).status).toBe(200)
  })

  test('a wrong code is an error of its field, and turns nothing on', async () => {
    const { secret } = await begin()
    const reply = await confirm(wrongCodeAt(secret, t.clock))
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'code' })])
    expect(await factors()).toEqual(OFF)
  })

  test('without a pending app: 409', async () => {
    expect(problemOf(await confirm('123456')).code).toBe('conflict')
  })

  test('of five concurrent calls with one code one succeeds', async () => {
    const { secret } = await begin()
    const code = codeAt(secret, t.clock)
    const replies = await Promise.all(Array.from({ length: 5 }, () => confirm(code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await factors()).toMatchObject({ recovery_codes_left: 10 })
  })

  test.each([{}, { code: '' }, { code: 123456 }, { code: '12345x' }, { code: '123456', on: true }])(
    'refuses %j',
    async (body) => {
      expect(problemOf(await t.post('/api/me/totp/confirm', body)).status).toBe(422)
    },
  )
})

describe('DELETE /api/me/totp', () => {
  test('turns it off, ends other sessions and the recovery codes, and notifies the owner', async () => {
    await t.addApp()
    const other = await t.world.signIn(t.ada.id)
    await mails()
    expect((await turnOff()).status).toBe(204)
    expect(await factors()).toEqual(OFF)
    expect((await t.me(other)).status).toBe(401)
    expect((await t.me()).status).toBe(200)
    expect(await passwordStep(t.world, t.ada.username)).toHaveProperty('token')
    expect(await mails()).toEqual([
      'Heim & Netz: An authenticator app was removed from your account',
    ])
    expect(
      await query(t.world.knex, 'select 1 from recovery_codes where user_id = ?', [t.ada.id]),
    ).toEqual([])
  })

  test('a pending sign-in ends', async () => {
    const { secret } = await t.addApp()
    const login_token = await loginTokenOf(t.world, t.ada.username)
    await turnOff()
    const reply = await secondStep(t.world, { login_token, code: codeAt(secret, t.clock) })
    expect(problemOf(reply).code).toBe('sign-in-expired')
  })

  test('a pending app is removed without a mail', async () => {
    const { secret } = await begin()
    const other = await t.world.signIn(t.ada.id)
    expect((await turnOff()).status).toBe(204)
    expect((await t.me(other)).status).toBe(200)
    expect(await mails()).toEqual([])
    expect(problemOf(await confirm(codeAt(secret, t.clock))).code).toBe('conflict')
  })

  test('without an app: 404', async () => {
    expect(problemOf(await turnOff()).code).toBe('not-found')
  })

  test('when turned on again, it has a new secret', async () => {
    const first = await t.addApp()
    await turnOff()
    const second = await t.addApp()
    expect(second.secret).not.toBe(first.secret)
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const [recovery_code] = first.recoveryCodes
    for (const fields of [{ code: codeAt(first.secret, t.clock) }, { recovery_code }]) {
      expect((await secondStep(t.world, { login_token, ...fields })).status).toBe(401)
    }
  })
})

describe('POST /api/me/recovery-codes', () => {
  const renew = () => t.post('/api/me/recovery-codes')

  test('replaces them with ten new ones; the old ones are invalid, and the owner is notified', async () => {
    const { recoveryCodes: old } = await t.addApp()
    const login_token = await loginTokenOf(t.world, t.ada.username)
    await mails()
    const reply = await renew()
    const codes = reply.json<RecoveryCodes>().recovery_codes ?? []
    expect(codes).toHaveLength(10)
    expect(codes.filter((code) => old.includes(code))).toEqual([])
    expect(await mails()).toEqual(['Heim & Netz: You have new recovery codes'])
    expect((await secondStep(t.world, { login_token, recovery_code: old[0] })).status).toBe(401)
    expect((await secondStep(t.world, { login_token, recovery_code: codes[0] })).status).toBe(200)
    expect(await factors()).toMatchObject({ recovery_codes_left: 9 })
  })

  test('of five concurrent calls, the codes of one are valid, and they are ten', async () => {
    await t.addApp()
    const replies = await Promise.all(Array.from({ length: 5 }, renew))
    expect(await factors()).toMatchObject({ recovery_codes_left: 10 })
    const statuses: number[] = []
    for (const reply of replies) {
      const recovery_code = reply.json<RecoveryCodes>().recovery_codes?.[0]
      const login_token = await loginTokenOf(t.world, t.ada.username)
      statuses.push((await secondStep(t.world, { login_token, recovery_code })).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  test('without a second factor: 409', async () => {
    expect(problemOf(await renew()).code).toBe('conflict')
  })
})
