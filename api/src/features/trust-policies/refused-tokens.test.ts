/** Refused tokens, and odd responses of issuers: the author of a policy may also run its issuer. */
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { TokenIssuer } from '../../../test/support/token-issuer.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'
import { query } from '../../database/sql.ts'

const t = useTrustWorld()

describe('a token that is refused', () => {
  const now = () => Math.floor(t.clock.getTime() / 1_000)
  const cases: readonly (readonly [string, () => object, RegExp])[] = [
    ['of another audience', () => ({ aud: 'https://elsewhere.example' }), /claim aud/],
    ['of no audience', () => ({ aud: undefined }), /claim aud/],
    [
      'of another issuer',
      () => ({ iss: 'https://elsewhere.example' }),
      /this policy does not trust/,
    ],
    ['that has expired', () => ({ exp: now() - 31 }), /expired/],
    ['that never expires', () => ({ exp: undefined }), /claim exp/],
    ['of the future', () => ({ nbf: now() + 60 }), /claim nbf/],
    ['made in the future', () => ({ iat: now() + 60 }), /claim iat/],
    ['made days ago', () => ({ iat: now() - 100_000, nbf: now() - 100_000 }), /too old/],
    ['that does not say when', () => ({ iat: undefined }), /claim iat/],
    ['of nobody', () => ({ sub: undefined }), /claim sub/],
    ['of another repository', () => ({ repository: 'eve/home' }), /repository/],
    ['of another branch', () => ({ ref: 'refs/heads/dev' }), /branch/],
    ['of a request to merge', () => ({ ref: 'refs/pull/1/merge' }), /branch/],
    ['of another environment', () => ({ environment: 'test' }), /environment/],
  ]

  test.each(cases)('%s', async (_name, changes, said) => {
    const { id } = await t.made({ branch: 'main', environment: 'live' })
    const problem = problemOf(await t.exchange(id, { environment: 'live', ...changes() }))
    expect(problem).toMatchObject({ status: 401, code: 'wrong-credentials' })
    expect(problem.detail).toMatch(said)
    expect(await query(t.world.knex, 'select 1 from api_keys where policy_id = ?', [id])).toEqual(
      [],
    )
  })

  test('signed by another key, by a shared secret, or unsigned', async () => {
    const { id } = await t.made()
    const eve = await TokenIssuer.open()
    const secret = new TextEncoder().encode('x'.repeat(32))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      await t.issuer.token(t.claims(), eve),
      await eve.token(t.claims()),
      await new SignJWT({ ...t.claims(), iss: t.issuer.url })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(secret),
      `${part({ alg: 'none' })}.${part({ ...t.claims(), iss: t.issuer.url })}.`,
      `${(await t.issuer.token(t.claims())).slice(0, -4)}AAAA`,
    ]
    for (const token of forged) {
      expect(problemOf(await t.send(id, { token }))).toMatchObject({
        status: 401,
        detail: 'The token is invalid, or this policy does not trust it.',
      })
    }
    await eve.close()
  })

  test('of an issuer that cannot be read, or names itself differently', async () => {
    t.issuer.discovery = { issuer: 'https://elsewhere.example' }
    const { id } = await t.made()
    expect(problemOf(await t.exchange(id)).detail).toContain('publishes another issuer name')
    const { id: away } = await t.made({ issuer: 'http://127.0.0.1:1' })
    const problem = problemOf(await t.exchange(away, { iss: 'http://127.0.0.1:1' }))
    expect(problem.detail).toContain('cannot be read')
  })

  test('for no policy gets the response for an untrusted one', async () => {
    expect(problemOf(await t.exchange('999999999'))).toMatchObject({
      status: 401,
      detail: 'The token is invalid, or this policy does not trust it.',
    })
  })

  test.each([
    [{}, 'token'],
    [{ token: '' }, 'token'],
    [{ token: 7 }, 'token'],
    [{ token: 'x'.repeat(16_385) }, 'token'],
    [{ token: 'x', scope: {} }, 'scope'],
  ])('%# is malformed', async (body, field) => {
    const problem = problemOf(await t.send('1', body))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test.each(['x', 'a.b.c', '..', 'eyJ.eyJ.eyJ'])(
    '%j is not a token, and nothing is fetched',
    async (token) => {
      const { id } = await t.made()
      expect((await t.send(id, { token })).status).toBe(401)
      expect(t.issuer.asked).toEqual([])
    },
  )
})

test.each([7, true, ['repo:ada/home'], { is: 'an object' }])(
  'a subject that is %j is refused',
  async (sub) => {
    const { id } = await t.made()
    const reply = await t.exchange(id, { sub })
    expect(reply.status).toBe(401)
    expect(problemOf(reply).detail).toBe('The claim sub of the token is missing or wrong.')
  },
)

test('a subject is stored as far as it can be read', async () => {
  const { id } = await t.made()
  expect((await t.exchange(id, { sub: `a\0b\x1b[2J${'😀'.repeat(600)}` })).status).toBe(201)
  const [row] = await query<{ last_subject: string }>(
    t.world.knex,
    'select last_subject from trust_policies where id = ?',
    [id],
  )
  expect(row?.last_subject.startsWith('ab[2J😀')).toBe(true)
  expect(row?.last_subject.isWellFormed()).toBe(true)
})

test.each([1e20, 1e300, 8.64e12])(
  'a token without practical expiry (%d) stays used for a day',
  async (exp) => {
    const { id } = await t.made()
    const jti = crypto.randomUUID()
    expect((await t.exchange(id, { exp, jti })).status).toBe(201)
    expect((await t.exchange(id, { exp, jti })).status).toBe(401)
    const late = await query(
      t.world.knex,
      `select 1 from exchanged_tokens where expires_at > now() + interval '24 hours 1 minute'`,
    )
    expect(late).toEqual([])
  },
)
