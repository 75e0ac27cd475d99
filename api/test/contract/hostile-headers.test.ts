/**
 * Hostile values in every header that the api reads: values with a meaning there, and all hostile texts, sent by
 * permitted callers. Values that Node's parser refuses are tested too, because the api must not rely on that.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, call } from '../support/calls.ts'
import { listedOperations } from '../support/contract-table.ts'
import { PASSWORD } from '../support/api-world.ts'
import { HOSTILE_TEXTS } from '../support/hostile-values.ts'
import { faultsIn } from './hostile/answers.ts'
import { READ_HEADERS } from './hostile/headers.ts'
import { heapUsed, Rejections } from './hostile/measure.ts'
import type { Holder } from './matrix/belongings.ts'
import { MatrixWorld } from './matrix/matrix-world.ts'
import { type MatrixCall, urlOf } from './matrix/call-url.ts'
import { rowOf } from './matrix/rows.ts'
import { byForm } from '../../../test/test-form.ts'
import { updateRowOf } from './matrix/update-rows.ts'

const GROWTH_LIMIT_BYTES = 16 * 2 ** 20
/** One call for each way in which headers are read. */
const OPERATIONS = [
  'getHealth',
  'login',
  'getDomain',
  'createDomain',
  'updateDomain',
  'updateProfile',
  'listUsers',
  'followChanges',
]
const UPDATES = ['nicUpdate', 'duckDnsUpdate', 'keyUpdate', 'nicUpdateByPost']
/** URLs that are not in the contract. */
const PAGES = ['/metrics', '/api/docs', '/api/openapi.json', '/nothing', '/checkip', '/admin']

let matrix: MatrixWorld
let holder: Holder
let administrator: Holder
let rejections: Rejections
let heapBefore: number
const counts = { calls: 0 }

beforeAll(async () => {
  rejections = new Rejections()
  // The headers of a proxy are read as well.
  matrix = await MatrixWorld.open({ trustProxy: ['127.0.0.1'] })
  holder = await matrix.holder('pro')
  administrator = await matrix.holder('admin')
  heapBefore = await heapUsed()
})
afterAll(async () => {
  process.stdout.write(
    `hostile headers: ${Object.keys(READ_HEADERS).length} headers, ${counts.calls} calls\n`,
  )
  rejections.stop()
  await matrix.end()
})

type Headers = Readonly<Record<string, string>>

/** The callers, with their credential in either place. */
function callersOf(access: string): Headers[] {
  const byCookie = { cookie: holder.cookie, 'sec-fetch-site': 'same-origin' }
  if (access === 'public') return [{}]
  if (access === 'administrator') return [administrator.headers]
  if (access === 'session') return [byCookie, holder.headers]
  return [byCookie, bearer(holder.key)]
}

interface Target {
  readonly operation: (typeof listedOperations)[number]
  readonly asked: MatrixCall
  readonly callers: readonly Headers[]
}

function targets(): Target[] {
  const named = (ids: readonly string[]) => listedOperations.filter(({ id }) => ids.includes(id))
  return [
    ...named(OPERATIONS).map((operation) => ({
      operation,
      asked: rowOf(operation.id).call(holder.its, matrix.nonce()),
      callers: callersOf(operation.access),
    })),
    ...named(UPDATES).map((operation) => ({
      operation,
      asked: updateRowOf(operation.id).ask(holder.its, holder.key),
      callers: [{ authorization: holder.basic }],
    })),
  ]
}

test('every header that the source reads is in the table', () => {
  const source = new URL('../../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const read = new Set<string>()
  for (const file of files) {
    const text = readFileSync(new URL(file, source), 'utf8')
    const ofRequests = text.replaceAll(/\b(?:response|reply|answer)\.headers\b/g, '')
    for (const [, dotted, quoted] of ofRequests.matchAll(
      /\bheaders(?:\.(\w+)\b(?!\()|\[\s*'([^']+)'\s*\])/g,
    )) {
      if (quoted) read.add(quoted)
      else if (dotted && !/^(set|get|has|ts)$/.test(dotted)) read.add(dotted)
    }
    for (const [, names = ''] of ofRequests.matchAll(/\{([^{}]*)\}\s*=\s*(?:\w+\.)?headers\b/g)) {
      for (const [, quoted, plain] of names.matchAll(/(?:'([\w-]+)'\s*:\s*\w+|(\w+))/g)) {
        read.add(quoted ?? plain ?? '')
      }
    }
  }
  expect([...read].toSorted()).toEqual(
    expect.arrayContaining(['authorization', 'host', 'if-match', 'origin', 'user-agent']),
  )
  expect([...read].filter((name) => !Object.hasOwn(READ_HEADERS, name))).toEqual([])
})

/** The errors in the response to a call with one more header. */
async function faultsWith(
  { operation, asked }: Target,
  caller: Headers,
  [name, value]: readonly [string, string],
): Promise<string[]> {
  const headers = { ...caller, [name]: value }
  const url = urlOf(operation, asked)
  const reply = await call(matrix.world.app, operation.method, url, { headers, body: asked.body })
  counts.calls += 1
  const secrets = [PASSWORD, holder.key, holder.cookie.replace('homing_session=', '')]
  const faults = faultsIn(operation, reply, JSON.stringify([asked, headers]), secrets)
  return faults.map((fault) => `${operation.id} ${JSON.stringify(value.slice(0, 60))}: ${fault}`)
}

test.each(Object.entries(READ_HEADERS))('%s', async (name, special) => {
  const wrong: string[] = []
  const calls = targets().flatMap((target) =>
    target.callers.map((caller) => [target, caller] as const),
  )
  for (const value of special) {
    for (const [target, caller] of calls) {
      wrong.push(...(await faultsWith(target, caller, [name, value])))
    }
  }
  // Texts without a meaning in a header are handled the same by all calls: each value is sent with one call, in turn.
  // The short form sends every third value; which ones differs between headers.
  const step = byForm({ short: 3, long: 1 })
  for (let n = name.length % step; n < HOSTILE_TEXTS.length; n += step) {
    const value = HOSTILE_TEXTS[n] ?? ''
    const chosen = calls[n % calls.length]
    if (chosen) wrong.push(...(await faultsWith(...chosen, [name, value])))
  }
  expect(wrong).toEqual([])
})

test.each(PAGES)('%s', async (url) => {
  const wrong: string[] = []
  // Before a page is found, all of them are handled the same. The short form sends each value to every third page.
  const step = byForm({ short: 3, long: 1 })
  for (const [name, special] of Object.entries(READ_HEADERS)) {
    for (const [n, value] of special.entries()) {
      if ((n + PAGES.indexOf(url)) % step !== 0) continue
      const reply = await call(matrix.world.app, 'GET', url, { headers: { [name]: value } })
      counts.calls += 1
      // A trusted proxy that sends no client address: the address is unknown then, and a 503 is correct.
      const isUntold = url === '/checkip' && name === 'x-forwarded-for' && reply.status === 503
      if (reply.status >= 500 && !isUntold)
        wrong.push(`${name}: ${value.slice(0, 60)} ${reply.status}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the run leaves nothing behind: no unhandled rejection, and the heap has not grown', async () => {
  expect(rejections.seen).toEqual([])
  expect((await heapUsed()) - heapBefore).toBeLessThan(GROWTH_LIMIT_BYTES)
})
