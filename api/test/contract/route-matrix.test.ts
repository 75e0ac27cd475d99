/**
 * The route matrix: every operation of the contract × every kind of caller, enumerated from the contract.
 * `matrix/rows.ts` says how an operation is called, `matrix/callers.ts` who is refused, `matrix/cells.ts` what is
 * checked.
 *
 * For each operation: callers without permission are refused with the code of the reason. A call that names a thing of
 * the owner gets, for other accounts, the response for a thing that does not exist. Neither changes any table, and no
 * response contains data of the owner. Permitted callers get the expected result about their own things, and the rules
 * that every kind of object inherits (`matrix/inherited-rules.ts`) apply as the row says.
 */
import { operations } from '@homing/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import type { Caller } from '../support/api-world.ts'
import { bearer, call, type Reply } from '../support/calls.ts'
import { listedOperations } from '../support/contract-table.ts'
import { type Belongings, MISSING } from './matrix/belongings.ts'
import { urlOf } from './matrix/call-url.ts'
import { Cells } from './matrix/cells.ts'
import { inheritanceFaults } from './matrix/inheritance.ts'
import { ROW_IDS, rowOf } from './matrix/rows.ts'
import { POWERLESS, STRANGERS } from './matrix/strangers.ts'
import { updateRowOf } from './matrix/update-rows.ts'

type Headers = Caller['headers']
let cells: Cells

beforeAll(async () => {
  cells = await Cells.open()
})
afterAll(async () => {
  process.stdout.write(
    `route matrix: ${listedOperations.length} operations, ${cells.count} cells, ${cells.leaks} leaks\n`,
  )
  await cells.end()
})

test('every operation has a row, and every row an operation', () => {
  const ids = listedOperations.map(({ id }) => id)
  expect(ROW_IDS.toSorted()).toEqual(ids.toSorted())
})

describe.each(listedOperations.filter(({ access }) => access !== 'update'))('$id', (operation) => {
  const row = () => rowOf(operation.id)

  if (operation.access !== 'public') {
    test('who may not call', async () => {
      expect(await cells.refused(operation, row())).toEqual([])
    })
  }

  test('what names a thing of somebody else’s', async () => {
    const wrong: string[] = []
    for (const naming of operation.access === 'administrator' ? [] : cells.namingCalls(row())) {
      wrong.push(...(await cells.probed(operation, naming)))
    }
    expect(wrong).toEqual([])
  })

  test('who may call', async () => {
    expect(await cells.rightful(operation, row())).toEqual([])
  })

  if (operation.idempotent === true) {
    test('a repeated call changes nothing more', async () => {
      expect(await cells.repeated(operation, row())).toEqual([])
    })
  }

  if (operation.idempotencyKey !== undefined) {
    test('a repeated call with an idempotency key', async () => {
      expect(await cells.repeatedWithKey(operation, row())).toEqual([])
    })
  }

  if (row().inherits !== undefined) {
    test('what it inherits', async () => {
      expect(await inheritanceFaults(cells, operation, row())).toEqual([])
    })
  }
})

const NIC_UPDATE = { ...operations.dyndns.nicUpdate, id: 'nicUpdate' }

describe.each(listedOperations.filter(({ access }) => access === 'update'))('$id', (operation) => {
  const row = updateRowOf(operation.id)
  const basicOf = (secret: string) =>
    `Basic ${Buffer.from(`any:${secret}`, 'utf8').toString('base64')}`

  /** A call with a secret in the place that this URL has for it. */
  async function ask(its: Belongings, secret: string, headers?: Headers): Promise<Reply> {
    const inHeader = row.secretIn === 'header' ? { authorization: basicOf(secret) } : {}
    return cells.send(operation, row.ask(its, secret), headers ?? inHeader)
  }

  test('who may not call', async () => {
    const wrong: string[] = []
    const { owner, pro } = cells.cast
    const before = await cells.contents.now()
    const refused: Record<string, [string, Headers?]> = {
      unsigned: ['', {}],
      'by cookie': ['', { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' }],
      'by the session': ['', owner.headers],
      ...Object.fromEntries(
        Object.entries(POWERLESS).map(([name, of]) => [name, [of(cells.cast)] as [string]]),
      ),
    }
    for (const [name, [secret, headers]] of Object.entries(refused)) {
      const reply = await ask(owner.its, secret, headers)
      const asked = row.ask(owner.its, secret)
      if (row.done.test(reply.text) || /^(nochg|OK|addresses)/.test(reply.text)) {
        wrong.push(`${name}: ${reply.text}`)
      }
      wrong.push(...cells.leaksIn(reply, asked).map((leak) => `${name}: ${leak}`))
    }
    const strangers = Object.entries(STRANGERS).map(([name, of]) => [name, of(cells.cast)] as const)
    const passwords = row.secretIn === 'header' ? [['pro’s password', pro.basic] as const] : []
    for (const [name, secret] of [...strangers, ...passwords]) {
      const headers = secret === pro.basic ? { authorization: secret } : undefined
      const theirs = await ask(owner.its, secret, headers)
      const nobodys = await ask(MISSING, secret, headers)
      if (theirs.status !== nobodys.status || theirs.text !== nobodys.text) {
        wrong.push(`${name}: ${theirs.text} is not ${nobodys.text}`)
      }
      if (row.done.test(theirs.text)) wrong.push(`${name}: ${theirs.text}`)
      wrong.push(...cells.leaksIn(theirs, row.ask(owner.its, secret)))
    }
    expect(wrong).toEqual([])
    expect(await cells.contents.changedSince(before)).toEqual([])
  })

  test('a locked domain', async () => {
    const { its, key, lockedToken, basic } = cells.cast.elite
    const asked = { ...its, fqdn: its.lockedFqdn }
    const secrets: [string, Headers?][] = [[lockedToken], [key]]
    if (row.secretIn === 'header') secrets.push(['', { authorization: basic }])
    for (const [secret, headers] of secrets) {
      expect((await ask(asked, secret, headers)).text).not.toMatch(row.done)
    }
    const addresses = await query(
      cells.matrix.world.knex,
      'select host(record_ipv4) as ip, locked from domains where id = ?',
      [its.lockedId],
    )
    expect(addresses).toEqual([{ ip: '203.0.113.9', locked: true }])
  })

  test('who may call', async () => {
    const { elite: holder } = cells.cast
    const scope = { actions: ['update'], domains: [holder.its.fqdn] }
    const scoped = await cells.matrix.key(holder.its.userId, { scope })
    const own = { query: { hostname: holder.its.fqdn, myip: '203.0.113.7' } }
    const passwords = row.secretIn === 'header' ? [{ authorization: holder.basic }] : []
    const asked: [string, Headers?][] = [[holder.updateToken], [holder.key], [scoped]]
    for (const [secret, headers] of [...asked, ...passwords.map((each) => ['', each] as const)]) {
      const reply = await ask(holder.its, secret, headers)
      expect(reply.text).toMatch(row.done)
      // A different address, so that the next call changes something.
      await call(cells.matrix.world.app, 'GET', urlOf(NIC_UPDATE, own), {
        headers: bearer(holder.key),
      })
    }
  })
})
