/** Secrets made with `SECRET_KEY_PREVIOUS` still work, and are rewritten with `SECRET_KEY`. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { settleForgotten } from '../../src/features/auth/forgot-password.ts'
import { decryptSecret, encryptSecret } from '../../src/credentials/encrypted-secret.ts'
import { totpPlace } from '../../src/credentials/totp.ts'
import { reencryptSecrets } from '../../src/jobs/reencrypt-secrets.ts'
import { query } from '../../src/database/sql.ts'
import { testApp } from '../support/api-world.ts'
import { call } from '../support/calls.ts'
import { untilSomebodyWaits } from '../support/lock-waits.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../support/mail.ts'
import { loginTokenOf, secondStep } from '../support/second-factor.ts'
import { useAppOwnerWorld } from '../support/second-factor-world.ts'

const t = useAppOwnerWorld()
const NEW_KEY = Buffer.alloc(32, 1)
const { signal: NEVER } = new AbortController()

/** The services of a process that was restarted with another key. */
function afterRotation(previous: 'with the previous key' | 'with the new key alone') {
  const { services } = t.world
  const previousSecretKey =
    previous === 'with the previous key' ? services.config.secretKey : undefined
  return { ...services, config: { ...services.config, secretKey: NEW_KEY, previousSecretKey } }
}

/** Signs Ada in at a process with other keys. @param steps of the code, which works once */
async function codeSignIn(services: ReturnType<typeof afterRotation>, steps: number) {
  const app = await testApp(services)
  try {
    const world = { ...t.world, app }
    const login_token = await loginTokenOf(world, t.ada.username)
    return (await secondStep(world, { login_token, code: t.code(steps) })).status
  } finally {
    await app.close()
  }
}

const encryptedTexts = () =>
  query<{ user_id: string; sealed_secret: string }>(
    t.world.knex,
    'select user_id, sealed_secret from totp_secrets order by user_id',
  )

/** More rows than one batch, encrypted with the old key. @returns their user ids */
async function manySecrets(count: number): Promise<string[]> {
  const { knex, services } = t.world
  const users = await query<{ id: string }>(
    knex,
    `insert into users (username, email, password_hash)
     select prefix || n, prefix || n || '@mail.test', '' from generate_series(1, ?) as n,
       (select 'many' || coalesce(max(id), 0) || 'x' as prefix from users) as names returning id`,
    [count],
  )
  const { secretKey } = services.config
  const ids = users.map(({ id }) => id)
  const texts = ids.map((id) =>
    encryptSecret(secretKey, totpPlace(id), Buffer.alloc(20, 7), randomBytes),
  )
  await query(
    knex,
    `insert into totp_secrets (user_id, sealed_secret, created_at)
     select user_id, text, now() from unnest(?::bigint[], ?::text[]) as each (user_id, text)`,
    [ids, texts],
  )
  return ids
}

describe('the secrets of authenticator apps', () => {
  test('are decrypted with the previous key, and only with the new one after they are rewritten', async () => {
    const both = afterRotation('with the previous key')
    const alone = afterRotation('with the new key alone')
    expect(await codeSignIn(alone, 0)).toBe(503)
    expect(await codeSignIn(both, 0)).toBe(200)
    const found = await reencryptSecrets(both, NEVER)
    expect(found?.previous).toBeGreaterThan(0)
    expect(await codeSignIn(alone, 1)).toBe(200)
    expect(await reencryptSecrets(both, NEVER)).toEqual({
      current: found?.previous,
      previous: 0,
      unknown: 0,
    })
  })

  test('are rewritten in batches; the next pass continues a stopped one', async () => {
    await query(t.world.knex, 'delete from totp_secrets')
    const ids = await manySecrets(450)
    const before = await encryptedTexts()
    const both = afterRotation('with the previous key')
    const stopping = new AbortController()
    let batches = 0
    const stoppedAfterOne = {
      ...both,
      randomBytes(count: number) {
        batches += 1
        stopping.abort()
        return randomBytes(count)
      },
    }
    expect(await reencryptSecrets(stoppedAfterOne, stopping.signal)).toBeUndefined()
    expect(batches).toBe(200)
    const rest = await Promise.all([reencryptSecrets(both, NEVER), reencryptSecrets(both, NEVER)])
    expect(rest.map((found) => found?.previous ?? 0).reduce((a, b) => a + b)).toBe(250)
    const after = await encryptedTexts()
    expect(after.map(({ user_id }) => user_id)).toEqual(ids)
    const kept = after.filter(({ sealed_secret: text }, n) => text === before[n]?.sealed_secret)
    expect(kept).toEqual([])
  })

  test('that no key decrypts are counted and not changed', async () => {
    await query(t.world.knex, 'delete from totp_secrets')
    const [id = ''] = await manySecrets(1)
    const place = totpPlace('0')
    const foreign = encryptSecret(Buffer.alloc(32, 9), place, Buffer.alloc(20), randomBytes)
    await query(t.world.knex, 'update totp_secrets set sealed_secret = ?', [foreign])
    const found = await reencryptSecrets(afterRotation('with the previous key'), NEVER)
    expect(found).toEqual({ current: 0, previous: 0, unknown: 1 })
    expect(await encryptedTexts()).toEqual([{ user_id: id, sealed_secret: foreign }])
  })

  test('a code is right while its secret is rewritten', async () => {
    const rewriting = await t.world.knex.transaction()
    const [row] = await query<{ sealed_secret: string }>(
      rewriting,
      'select sealed_secret from totp_secrets where user_id = ? for update',
      [t.ada.id],
    )
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const signingIn = secondStep(t.world, { login_token, code: t.code() })
    await untilSomebodyWaits(t.world.knex)
    const { config } = t.world.services
    // As a pass rewrites it, but with the current key, so that this app can decrypt it.
    const secret = decryptSecret(config, totpPlace(t.ada.id), row?.sealed_secret ?? '')
    const anew = encryptSecret(config.secretKey, totpPlace(t.ada.id), secret, randomBytes)
    await query(rewriting, 'update totp_secrets set sealed_secret = ? where user_id = ?', [
      anew,
      t.ada.id,
    ])
    await rewriting.commit()
    expect((await signingIn).status).toBe(200)
  })
})

describe('a link that was created with the previous key and is mailed later', () => {
  const verify = (token: string) =>
    call(t.world.app, 'GET', `/api/verify-reset-token/${token}`).then(({ status }) => status)

  beforeEach(() => query(t.world.knex, 'delete from pgboss.job'))

  test('works', async () => {
    const mailer = new KeepingMailer()
    await settleForgotten(t.world.services, { email: `${t.ada.username}@mail.test` })
    await runJobs(afterRotation('with the previous key'), mailer)
    expect(await verify(linkTokenOf(mailer.sent.at(-1)))).toBe(200)
  })

  test('is not mailed by a process without that key, which leaves the job to another one', async () => {
    const mailer = new KeepingMailer()
    await settleForgotten(t.world.services, { email: `${t.ada.username}@mail.test` })
    const alone = afterRotation('with the new key alone')
    await expect(runJobs(alone, mailer)).rejects.toThrow('SECRET_KEY_PREVIOUS')
    expect(mailer.sent).toEqual([])
    await runJobs(t.world.services, mailer)
    expect(await verify(linkTokenOf(mailer.sent.at(-1)))).toBe(200)
  })
})
