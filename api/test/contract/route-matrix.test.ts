/**
 * The route matrix: every operation of the contract × everybody who may call. Enumerated from the contract; what a
 * call looks like is in `matrix/rows.ts`, who is refused in `matrix/callers.ts`.
 *
 * For each operation: those who may not call are refused with the code of their reason; what names a thing of the
 * owner's is answered to others as what names a thing that nobody has; nothing was changed by either, in any table;
 * nothing of the owner's stands in any answer; and those for whom it is get what it is for, about their own.
 */
import { operations, PROBLEMS, type ProblemCode } from '@homing/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, call, problemOf, type Reply } from '../support/calls.ts'
import { type ListedOperation, listedOperations } from '../support/contract-table.ts'
import { type Belongings, type Holder, MatrixWorld, MISSING } from './matrix/belongings.ts'
import { urlOf } from './matrix/call-url.ts'
import { type Cast, castOf, REFUSED } from './matrix/callers.ts'
import { Contents } from './matrix/contents.ts'
import type { MatrixCall, Probe, Row } from './matrix/row.ts'
import { ROW_IDS, rowOf } from './matrix/rows.ts'
import { updateRowOf } from './matrix/update-rows.ts'

let matrix: MatrixWorld
let cast: Cast
let contents: Contents
const counts = { cells: 0, leaks: 0 }

beforeAll(async () => {
  matrix = await MatrixWorld.open()
  cast = await castOf(matrix)
  contents = await Contents.of(matrix.world.knex)
})
afterAll(async () => {
  process.stdout.write(
    `route matrix: ${listedOperations.length} operations, ${counts.cells} cells, ${counts.leaks} leaks\n`,
  )
  await matrix.end()
})

type Headers = Readonly<Record<string, string>>

async function send(
  operation: ListedOperation,
  asked: MatrixCall,
  headers: Headers,
): Promise<Reply> {
  counts.cells += 1
  const url = urlOf(operation, asked)
  const reply = await call(matrix.world.app, operation.method, url, { headers, body: asked.body })
  // Not even where a page of another site may read an answer.
  expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual(
    [],
  )
  return reply
}

/** What of the owner's an answer holds that the call did not say itself. */
function leaksIn(reply: Reply, asked: MatrixCall): string[] {
  const said = JSON.stringify(asked)
  const text = reply.text + JSON.stringify(reply.headers)
  const found = cast.owner.markers.filter(
    (marker) => text.includes(marker) && !said.includes(marker),
  )
  counts.leaks += found.length
  return found.map((marker) => `LEAK of ${marker}`)
}

/** Code of a problem, or the status of what is none. */
const outcomeOf = (reply: Reply) => (reply.status < 400 ? reply.status : problemOf(reply).code)

/** Keys of an answer, however deep: what a success looks like without what it says. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

/** An answer without what differs between any two calls, and with the same word for what the calls named. */
function comparable(reply: Reply, its: Belongings): unknown {
  const { status, headers } = reply
  const names = Object.keys(headers).filter((name) => name !== 'content-length')
  if (status < 400) {
    const isJson = String(headers['content-type']).startsWith('application/json')
    return { status, names, shape: isJson ? shapeOf(reply.json()) : reply.text }
  }
  const { requestId: _, ...problem } = problemOf(reply)
  let text = JSON.stringify(problem)
  for (const value of Object.values<string>({ ...its })) text = text.replaceAll(value, '…')
  return { status, names, text }
}

const OTHER_NAME = 'owner’s key for another name'

/** Strangers to the owner's things, who may make such a call about their own. */
function strangersOf({ access, keyAction }: ListedOperation): Record<string, Headers> {
  const { pro, free, elite, administrator, keys } = cast
  const unsigned = { unsigned: {} }
  const people = { pro: pro.headers, free: free.headers, elite: elite.headers }
  const office = { administrator: administrator.headers }
  if (access === 'administrator') return office
  if (access === 'session') return { ...people, ...office }
  if (access === 'public') return { ...unsigned, ...people, ...office }
  expect(keyAction).toBeDefined()
  return {
    ...people,
    ...office,
    'pro’s key': bearer(pro.key),
    'elite’s key': bearer(elite.key),
    'administrator’s key': bearer(administrator.key),
    [OTHER_NAME]: bearer(keys.otherName),
  }
}

const namesSomething = ({ call }: Pick<Row, 'call'>) =>
  JSON.stringify(call(cast.owner.its, '0')) !== JSON.stringify(call(MISSING, '0'))

/** Calls that name a thing: the operation's own where it does, and its probes. */
function namingCalls(row: Row): [string, Probe][] {
  const probes = Object.entries(row.probes ?? {})
  if (!namesSomething(row)) return probes
  const own: Probe = row.writes ? { call: row.call, writes: true } : { call: row.call }
  return [['', own], ...probes]
}

async function refusedCells(operation: ListedOperation, row: Row): Promise<string[]> {
  const wrong: string[] = []
  const before = await contents.digests()
  for (const { name, headers, refusal } of REFUSED) {
    const code = refusal(operation)
    if (code === undefined) continue
    const asked = row.call(cast.owner.its, matrix.nonce())
    const reply = await send(operation, asked, headers(cast))
    const got = outcomeOf(reply)
    const isRight = got === code && reply.status === PROBLEMS[code].status
    if (!isRight) wrong.push(`${name}: ${got} instead of ${code}`)
    wrong.push(...leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
  }
  const changed = await contents.changedSince(before)
  return [...wrong, ...changed.map((table) => `${table} was changed by one who was refused`)]
}

async function probeCells(
  operation: ListedOperation,
  [name, probe]: [string, Probe],
): Promise<string[]> {
  const wrong: string[] = []
  const { owner } = cast
  // What a stranger makes is theirs; what is the owner's stays as it is.
  const holding = probe.writes ? owner.ids : undefined
  const isPublic = operation.access === 'public'
  const before = await contents.digests(holding)
  for (const [stranger, headers] of Object.entries(strangersOf(operation))) {
    const asked = probe.call(owner.its, matrix.nonce())
    const theirs = await send(operation, asked, headers)
    wrong.push(...leaksIn(theirs, asked).map((leak) => `${name} ${stranger}: ${leak}`))
    if (probe.refusal !== undefined) {
      const got = outcomeOf(theirs)
      // A key that is for another name is told so first.
      const expected = stranger === OTHER_NAME ? 'key-scope' : probe.refusal
      if (got !== expected) wrong.push(`${name} ${stranger}: ${got}`)
      continue
    }
    const nobodys = await send(operation, probe.call(MISSING, matrix.nonce()), headers)
    const [of, one] = [comparable(theirs, owner.its), comparable(nobodys, MISSING)]
    if (JSON.stringify(of) !== JSON.stringify(one)) {
      wrong.push(`${name} ${stranger}: ${JSON.stringify(of)} is not ${JSON.stringify(one)}`)
    }
  }
  // Mail to an address is asked for by anybody.
  if (isPublic && probe.writes) return wrong
  const changed = await contents.changedSince(before, holding)
  return [...wrong, ...changed.map((table) => `${name}: ${table} was changed by a stranger`)]
}

/** Those for whom an operation is, each with things of their own. */
async function rightfulOf({
  access,
  method,
  keyAction,
}: ListedOperation): Promise<[string, Holder, Headers][]> {
  const shared = { pro: cast.pro, free: cast.free, elite: cast.elite, admin: cast.administrator }
  const holder = async (plan: keyof typeof shared) =>
    method === 'GET' ? shared[plan] : await matrix.holder(plan)
  if (access === 'public') {
    return [
      ['unsigned', cast.pro, {}],
      ['with a session', cast.pro, cast.pro.headers],
    ]
  }
  const by = (name: string, it: Holder): [string, Holder, Headers] => [name, it, it.headers]
  const byCookie = (it: Holder): [string, Holder, Headers] => [
    'by cookie',
    it,
    { cookie: it.cookie, origin: 'http://localhost:8080', host: 'localhost:8080' },
  ]
  if (access === 'administrator') {
    // An administrator's call is about somebody else's things.
    const { administrator } = cast
    const about = async (name: string, headers: Headers): Promise<[string, Holder, Headers]> => [
      name,
      await holder('pro'),
      headers,
    ]
    return [
      await about('administrator', administrator.headers),
      await about('by cookie', byCookie(administrator)[2]),
    ]
  }
  const people = [
    by('pro', await holder('pro')),
    byCookie(await holder('pro')),
    by('free', await holder('free')),
    by('elite', await holder('elite')),
    by('administrator', await holder('admin')),
  ]
  if (keyAction === undefined) return people
  const keyed = await holder('pro')
  const scoped = await holder('pro')
  const scope = { actions: [keyAction], domains: ['*.homing.test'] }
  const scopedKey = await matrix.key(scoped.its.userId, { scope })
  return [
    ...people,
    ['by key', keyed, bearer(keyed.key)],
    ['by a key for just this', scoped, bearer(scopedKey)],
  ]
}

async function rightfulCells(operation: ListedOperation, row: Row): Promise<string[]> {
  const wrong: string[] = []
  const { success } = operation
  const rightful = await rightfulOf(operation)
  const { ids } = cast.owner
  const refusals: Partial<Record<string, ProblemCode>> = {
    ...(row.ability === undefined ? {} : { free: 'plan-required' }),
    ...row.refuses,
  }
  const before = await contents.digests(ids)
  for (const [name, holder, headers] of rightful) {
    const asked = row.call(holder.its, matrix.nonce())
    const reply = await send(operation, asked, headers)
    const refusal = refusals[name]
    const expected = refusal ?? row.answers ?? success.status
    const got = refusal === undefined ? reply.status : outcomeOf(reply)
    if (got !== expected) {
      wrong.push(`${name}: ${got} ${reply.text.slice(0, 200)} instead of ${expected}`)
    }
    // The list of all accounts is for administrators.
    if (operation.access === 'administrator') continue
    wrong.push(...leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
  }
  const changed = await contents.changedSince(before, ids)
  return [...wrong, ...changed.map((table) => `${table} of the owner was changed by others`)]
}

test('every operation has a row, and every row an operation', () => {
  const ids = listedOperations.map(({ id }) => id)
  expect(ROW_IDS.toSorted()).toEqual(ids.toSorted())
})

describe.each(listedOperations.filter(({ access }) => access !== 'update'))('$id', (operation) => {
  const row = () => rowOf(operation.id)

  if (operation.access !== 'public') {
    test('who may not call', async () => {
      expect(await refusedCells(operation, row())).toEqual([])
    })
  }

  test('what names a thing of somebody else’s', async () => {
    const wrong: string[] = []
    for (const naming of operation.access === 'administrator' ? [] : namingCalls(row())) {
      wrong.push(...(await probeCells(operation, naming)))
    }
    expect(wrong).toEqual([])
  })

  test('who may call', async () => {
    expect(await rightfulCells(operation, row())).toEqual([])
  })
})

const STRANGERS: Record<string, (cast: Cast) => string> = {
  'pro’s token': ({ pro }) => pro.updateToken,
  'pro’s key': ({ pro }) => pro.key,
  'elite’s key': ({ elite }) => elite.key,
  'administrator’s key': ({ administrator }) => administrator.key,
  'administrator’s token': ({ administrator }) => administrator.updateToken,
  [OTHER_NAME]: ({ keys }) => keys.otherName,
}
const POWERLESS: Record<string, (cast: Cast) => string> = {
  'a secret that nobody has': () => `ak_${'x'.repeat(36)}`,
  'a key that was revoked': ({ keys }) => keys.revoked,
  'a key that has expired': ({ keys }) => keys.expired,
  'a key from another network': ({ keys }) => keys.elsewhere,
  'a key for reading': ({ keys }) => keys.reading,
  'a key of a plan without keys': ({ free }) => free.key,
  'a key of a disabled account': ({ disabled }) => disabled.key,
  'a token of a disabled account': ({ disabled }) => disabled.updateToken,
  'a key of a banned account': ({ banned }) => banned.key,
  'a token of a banned account': ({ banned }) => banned.updateToken,
  'a session': ({ owner }) => owner.headers['authorization']?.slice(7) ?? '',
}

const NIC_UPDATE = { ...operations.dyndns.nicUpdate, id: 'nicUpdate' }

describe.each(listedOperations.filter(({ access }) => access === 'update'))('$id', (operation) => {
  const row = updateRowOf(operation.id)
  const basicOf = (secret: string) =>
    `Basic ${Buffer.from(`any:${secret}`, 'utf8').toString('base64')}`

  /** A call with a secret in the place where this URL has it. */
  async function ask(its: Belongings, secret: string, headers?: Headers): Promise<Reply> {
    const inHeader = row.secretIn === 'header' ? { authorization: basicOf(secret) } : {}
    return send(operation, row.ask(its, secret), headers ?? inHeader)
  }

  test('who may not call', async () => {
    const wrong: string[] = []
    const { owner, pro } = cast
    const before = await contents.digests()
    const refused: Record<string, [string, Headers?]> = {
      unsigned: ['', {}],
      'by cookie': ['', { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }],
      'by the session': ['', owner.headers],
      ...Object.fromEntries(
        Object.entries(POWERLESS).map(([name, of]) => [name, [of(cast)] as [string]]),
      ),
    }
    for (const [name, [secret, headers]] of Object.entries(refused)) {
      const reply = await ask(owner.its, secret, headers)
      const asked = row.ask(owner.its, secret)
      if (row.done.test(reply.text) || /^(nochg|OK|addresses)/.test(reply.text)) {
        wrong.push(`${name}: ${reply.text}`)
      }
      wrong.push(...leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
    }
    const strangers = Object.entries(STRANGERS).map(([name, of]) => [name, of(cast)] as const)
    const passwords = row.secretIn === 'header' ? [['pro’s password', pro.basic] as const] : []
    for (const [name, secret] of [...strangers, ...passwords]) {
      const headers = secret === pro.basic ? { authorization: secret } : undefined
      const theirs = await ask(owner.its, secret, headers)
      const nobodys = await ask(MISSING, secret, headers)
      if (theirs.status !== nobodys.status || theirs.text !== nobodys.text) {
        wrong.push(`${name}: ${theirs.text} is not ${nobodys.text}`)
      }
      if (row.done.test(theirs.text)) wrong.push(`${name}: ${theirs.text}`)
      wrong.push(...leaksIn(theirs, row.ask(owner.its, secret)))
    }
    expect(wrong).toEqual([])
    expect(await contents.changedSince(before)).toEqual([])
  })

  test('who may call', async () => {
    const { elite: holder } = cast
    const scope = { actions: ['update'], domains: [holder.its.fqdn] }
    const scoped = await matrix.key(holder.its.userId, { scope })
    const own = { query: { hostname: holder.its.fqdn, myip: '203.0.113.7' } }
    const passwords = row.secretIn === 'header' ? [{ authorization: holder.basic }] : []
    const asked: [string, Headers?][] = [[holder.updateToken], [holder.key], [scoped]]
    for (const [secret, headers] of [...asked, ...passwords.map((each) => ['', each] as const)]) {
      const reply = await ask(holder.its, secret, headers)
      expect(reply.text).toMatch(row.done)
      // Another address than the one that is asked for, so that the next call has something to do.
      await call(matrix.world.app, 'GET', urlOf(NIC_UPDATE, own), { headers: bearer(holder.key) })
    }
  })
})
