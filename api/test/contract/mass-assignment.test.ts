/**
 * Fields that callers may not set, added to every body of the contract: each is refused by name, and nothing changes. A
 * body that has a field of that name for its own purpose is skipped.
 */
import { operations } from '@homing/openapi'
import type { Problem } from '@homing/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/calls.ts'
import { type ListedOperation, listedOperations } from '../support/contract-table.ts'
import { callWith, type Place, placesOf } from './hostile/places.ts'
import type { Holder } from './matrix/belongings.ts'
import { MatrixWorld } from './matrix/matrix-world.ts'
import { urlOf } from './matrix/call-url.ts'
import { Contents } from './matrix/contents.ts'
import { rowOf } from './matrix/rows.ts'

/** Columns of accounts, names, keys and sessions, and the names that other services use for them. */
const FORBIDDEN: Readonly<Record<string, unknown>> = {
  account_type: 'admin',
  role: 'admin',
  plan: 'elite',
  is_admin: true,
  enabled: true,
  email_verified: true,
  email_verified_at: '2020-01-01T00:00:00Z',
  has_second_factor: false,
  credential_version: 1,
  password_hash: 'x',
  deletion_due_at: null,
  id: '1',
  user_id: '1',
  username: 'somebody',
  domain_limit: 1_000,
  abilities: ['wildcard'],
  ttl: 1,
  fqdn: 'other.homing.test',
  zone_id: '1',
  base_id: '1',
  is_active: true,
  is_wildcard: true,
  locked: false,
  paused: false,
  over_limit: false,
  owner_blocked: false,
  version: 9,
  monitor_enabled: true,
  uses_stealth_flag: true,
  secret_digest: 'x',
  prefix: 'ak_',
  key: 'ak_x',
  policy_id: '1',
  replaced_by: '1',
  last_used_at: '2020-01-01T00:00:00Z',
  confirmed_at: '2030-01-01T00:00:00Z',
  created_at: '2020-01-01T00:00:00Z',
  price: 0,
  is_captcha_solved: true,
}

/**
 * Objects that browsers create (WebAuthn Level 3 §5.1): they may have additional fields, which the service does not
 * read.
 */
const OF_BROWSERS = /^credential(\.|$)/

let matrix: MatrixWorld
let holder: Holder
let administrator: Holder
let contents: Contents
const counts = { fields: 0 }

beforeAll(async () => {
  matrix = await MatrixWorld.open()
  holder = await matrix.holder('pro')
  administrator = await matrix.holder('admin')
  contents = await Contents.of(matrix.world.knex)
})
afterAll(async () => {
  process.stdout.write(`mass assignment: ${counts.fields} fields in bodies, all refused\n`)
  await matrix.end()
})

const withBody = listedOperations.filter(
  ({ access, body }) => access !== 'update' && body !== undefined,
)

/** The objects of a body: itself, and the nested ones with fields. */
function objectsOf(operation: ListedOperation): (readonly string[])[] {
  const paths = placesOf(operation)
    .filter(({ part }) => part === 'body')
    .map(({ path }) => path)
  const inner = paths
    .filter((path) => path.length > 1 && path.at(-1) !== '0')
    .map((path) => path.slice(0, -1))
  const objects = new Map(inner.map((path) => [path.join('.'), path]))
  return [[], ...[...objects.values()].filter((path) => !path.includes('0'))].filter(
    (path) => !OF_BROWSERS.test(path.join('.')),
  )
}

test('there are bodies for the fields', () => {
  expect(withBody.length).toBeGreaterThan(15)
  expect(objectsOf({ ...operations['api-keys'].createApiKey, id: 'createApiKey' })).toEqual([
    [],
    ['scope'],
  ])
})

describe.each(withBody)('$method $url', (operation) => {
  test('fields that callers may not set are refused by name', async () => {
    const wrong: string[] = []
    const before = await contents.now()
    const own = new Set(placesOf(operation).map(({ path }) => path.join('.')))
    const { headers } = operation.access === 'administrator' ? administrator : holder
    for (const object of objectsOf(operation)) {
      for (const [name, value] of Object.entries(FORBIDDEN)) {
        const path = [...object, name]
        if (own.has(path.join('.'))) continue
        const place: Place = { operation, part: 'body', path }
        const asked = callWith(rowOf(operation.id).call(holder.its, matrix.nonce()), place, value)
        const url = urlOf(operation, asked)
        const reply = await call(matrix.world.app, operation.method, url, {
          headers,
          body: asked.body,
        })
        counts.fields += 1
        const named = reply.status === 422 ? reply.json<Problem>().errors?.map((e) => e.field) : []
        if (!named?.includes(path.join('.'))) wrong.push(`${path.join('.')}: ${reply.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await contents.changedSince(before)).toEqual([])
  })
})
