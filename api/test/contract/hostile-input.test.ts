/**
 * Hostile values in every place of every call: each field of a body at any depth, each parameter of a path and a query.
 *
 * The rest of the call is valid and about the caller's own things, so that it gets as far as possible. Each value is
 * sent to each place once, in the short form to every fourth place, by one of the permitted callers (a session, a key,
 * an administrator, an unauthenticated caller), whom a seed selects. `HOSTILE=full` sends it as each of them, and
 * `HOSTILE_SEED` selects others. The many spellings of the update URLs share their code, so each spelling gets only a
 * part of the values. Passwords are compared and not hashed, because argon2id would take minutes; a separate test
 * hashes such values.
 */
import type { Problem } from '@homing/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { argon2Hasher, type PasswordHasher } from '../../src/credentials/password-hasher.ts'
import { PASSWORD } from '../support/api-world.ts'
import { bearer, call, type Reply } from '../support/calls.ts'
import { type ListedOperation, listedOperations } from '../support/contract-table.ts'
import { HOSTILE } from '../support/hostile-values.ts'
import { faultsIn } from './hostile/answers.ts'
import { heapUsed, Rejections, seeded } from './hostile/measure.ts'
import { callWith, type Place, placeName, placesOf } from './hostile/places.ts'
import type { Holder } from './matrix/belongings.ts'
import { MatrixWorld } from './matrix/matrix-world.ts'
import { urlOf } from './matrix/call-url.ts'
import { rowOf } from './matrix/rows.ts'
import { byForm } from '../../../test/test-form.ts'
import { updateRowOf } from './matrix/update-rows.ts'

const FULL = process.env['HOSTILE'] === 'full'
const random = seeded(Number(process.env['HOSTILE_SEED'] ?? 1))
/**
 * The share of the values that is sent to each place. Places take turns, so that each value is sent to places of every
 * kind.
 */
const TURNS = FULL ? 1 : byForm({ short: 4, long: 1 })
/** Update URLs that get every value; the others are spellings of these. */
const WHOLE_UPDATES = ['nicUpdate', 'duckDnsUpdate', 'dynv6Update', 'duckDnsPathAddressUpdate']
const PART_OF_VALUES = 0.1
/** Every so many places are called again to measure the heap. */
const REPEATED_PLACE = 8
/** A call that leaves something behind leaves more than this. */
const LEAK_BYTES = 1024

/** Knows the password of every account. */
const COMPARING: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  verify: async (_, password) => password === PASSWORD,
}

const cpuBefore = process.cpuUsage()

/** The processor time of this process since this file was loaded, in seconds. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage(cpuBefore)
  return Math.round((user + system) / 1e6)
}

let matrix: MatrixWorld
/** The owners of the things that calls name. */
let holder: Holder
let administrator: Holder
let rejections: Rejections
const counts = { calls: 0, refused: 0 }

beforeAll(async () => {
  rejections = new Rejections()
  matrix = await MatrixWorld.open({}, { passwords: COMPARING })
  administrator = await matrix.holder('admin')
  holder = await matrix.holder('pro')
})
afterAll(async () => {
  process.stdout.write(
    `hostile values: ${HOSTILE.length} values, ${places.length} places, ${counts.calls} calls, ${counts.refused} refused, ${cpuSeconds()} s of CPU\n`,
  )
  rejections.stop()
  await matrix.end()
})

const calls = listedOperations.filter(({ access }) => access !== 'update')
const updates = listedOperations.filter(({ access }) => access === 'update')
const places = listedOperations.flatMap(placesOf)

/** Fields that are validated together: an error in one may be reported for the other. */
const TOGETHER = [
  ['fqdn', 'zone', 'name', 'credential'],
  ['current_password', 'new_password', 'password', 'code', 'recovery_code'],
  ['record_ip', 'record_ipv4', 'record_ipv6', 'rrtype'],
  ['is_paused', 'reason'],
]

/** Parts of field names that mark a secret. */
const SECRET_FIELD = /password|token|code|secret/
const SECRET_LENGTH = 12

/** A text that was sent as a secret, and must not be repeated. */
function secretsOf({ path }: Place, value: unknown): string[] {
  const isSecret = SECRET_FIELD.test(path.join('.')) && typeof value === 'string'
  return isSecret && value.length >= SECRET_LENGTH ? [value] : []
}

/** The headers of all permitted callers. */
function callersOf({ access }: ListedOperation): Record<string, string>[] {
  if (access === 'administrator') return [administrator.headers]
  if (access === 'public') return [{}, holder.headers]
  return access === 'caller' ? [holder.headers, bearer(holder.key)] : [holder.headers]
}

/** A validation error names the invalid field. */
function misnamed({ path: [field = ''], part }: Place, reply: Reply) {
  if (reply.status !== 422 || part === 'params') return []
  const { code, errors } = reply.json<Problem>()
  // The values are valid, and the rules refuse an operation of the batch.
  if (code === 'batch-refused') return []
  const named = errors?.[0]?.field.split('.')[0] ?? ''
  const together = TOGETHER.find((fields) => fields.includes(field)) ?? [field]
  return together.includes(named) ? [] : [`names ${named}: ${reply.text.slice(0, 300)}`]
}

async function hostileCells(place: Place): Promise<string[]> {
  const { operation } = place
  const wrong: string[] = []
  const turn = places.findIndex(
    (each) => placeName(each) === placeName(place) && each.operation === operation,
  )
  for (const [n, value] of HOSTILE.entries()) {
    if ((n + turn) % TURNS !== 0) continue
    const callers = callersOf(operation)
    const chosen = FULL ? callers : [callers[Math.floor(random() * callers.length)] ?? {}]
    for (const headers of chosen) {
      const asked = callWith(rowOf(operation.id).call(holder.its, matrix.nonce()), place, value)
      const url = urlOf(operation, asked)
      // They change the path instead of filling its parameter.
      if (/\/\.{1,2}(\/|$)|\/\/|\/(\?|$)/.test(url) && place.part === 'params') continue
      const reply = await call(matrix.world.app, operation.method, url, {
        headers,
        body: asked.body,
      })
      counts.calls += 1
      if (reply.status >= 400) counts.refused += 1
      const secrets = [PASSWORD, holder.key, ...secretsOf(place, value)]
      const faults = [
        ...faultsIn(operation, reply, JSON.stringify(asked), secrets),
        ...misnamed(place, reply),
      ]
      const shown = JSON.stringify(value)?.slice(0, 60)
      wrong.push(...faults.map((fault) => `${placeName(place)} = ${shown}: ${fault}`))
      // An earlier call may have ended the session or the account.
      if (reply.status === 401 && operation.access !== 'public') holder = await matrix.holder('pro')
    }
  }
  return wrong
}

test('there are more than sixty hostile values', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(60)
})

test('passwords with any content are hashed and compared', async () => {
  const hash = await argon2Hasher.hash('x')
  for (const value of HOSTILE.filter((each) => typeof each === 'string')) {
    expect(await argon2Hasher.verify(hash, value.slice(0, 256))).toBe(false)
  }
})

describe.each(calls.filter((operation) => placesOf(operation).length > 0))(
  '$method $url',
  (operation) => {
    beforeAll(async () => {
      holder = await matrix.holder('pro')
    })

    test.each(placesOf(operation).map((place) => [placeName(place), place] as const))(
      '%s',
      async (_, place) => {
        expect(await hostileCells(place)).toEqual([])
      },
    )
  },
)

describe.each(updates)('$method $url', (operation) => {
  const row = updateRowOf(operation.id)

  test('hostile values of every parameter', async () => {
    const holder = await matrix.holder('pro')
    const wrong: string[] = []
    for (const place of placesOf(operation)) {
      const isWhole = FULL || WHOLE_UPDATES.includes(operation.id)
      for (const value of HOSTILE) {
        if (!isWhole && random() > PART_OF_VALUES) continue
        const asked = callWith(row.ask(holder.its, holder.key), place, value)
        const headers = row.secretIn === 'header' ? { authorization: holder.basic } : undefined
        const url = urlOf(operation, asked)
        const reply = await call(matrix.world.app, operation.method, url, { headers })
        counts.calls += 1
        if (reply.status !== 200) counts.refused += 1
        const secrets = [PASSWORD, holder.key, ...secretsOf(place, value)]
        const faults = faultsIn(operation, reply, JSON.stringify(asked), secrets)
        wrong.push(...faults.map((fault) => `${placeName(place)} = ${String(value)}: ${fault}`))
      }
    }
    expect(wrong).toEqual([])
  })
})

test('no promise was rejected without being handled', () => {
  expect(rejections.seen).toEqual([])
})

test('the same calls again leave nothing in the heap', async () => {
  // By now, all schemas are compiled and all caches are filled.
  holder = await matrix.holder('pro')
  const again = calls.flatMap(placesOf).filter((_, n) => n % REPEATED_PLACE === 0)
  for (const place of again) await hostileCells(place)
  const [heapBefore, callsBefore] = [await heapUsed(), counts.calls]
  for (const place of again) await hostileCells(place)
  const made = counts.calls - callsBefore
  expect(made).toBeGreaterThan(1_000)
  expect((await heapUsed()) - heapBefore).toBeLessThan(made * LEAK_BYTES)
})
