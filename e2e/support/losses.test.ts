import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Ledger, readLedger } from './ledger.ts'
import { findForgotten, findLost } from './losses.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-ledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a ledger has each awaited line on disk, also with several callers', async () => {
  const path = join(folder, 'ledger')
  const ledger = await Ledger.create(path)
  await ledger.acknowledge({ name: 'a.test', number: 1 })
  expect(readLedger(path)).toEqual([{ name: 'a.test', number: 1 }])
  const many = Array.from({ length: 50 }, (_, n) => ({ name: `n${n}.test`, number: n + 2 }))
  await Promise.all(many.map((update) => ledger.acknowledge(update)))
  await ledger.close()
  expect(readLedger(path)).toEqual([{ name: 'a.test', number: 1 }, ...many])
})

describe('a name for which 3 and 5 were acknowledged and 7 was sent last', () => {
  const acknowledged = [
    { name: 'a.test', number: 3 },
    { name: 'a.test', number: 5 },
  ]
  const promised = { acknowledged, lastSent: new Map([['a.test', 7]]) }
  const shows = (number: number | undefined) => findLost(promised, new Map([['a.test', number]]))

  test.each([5, 6, 7])('%d is not a loss', (number) => expect(shows(number)).toEqual([]))

  test.each([3, 4, 8, undefined])('%s is a loss', (number) => expect(shows(number)).toHaveLength(1))

  test('a missing name is a loss', () => {
    expect(findLost(promised, new Map())).toEqual([
      'a.test shows no update; 5 was acknowledged, 7 sent last',
    ])
  })

  test('its history must contain both', () => {
    const history = (...numbers: number[]) => new Map([['a.test', new Set(numbers)]])
    expect(findForgotten(acknowledged, history(1, 3, 5, 6))).toEqual([])
    expect(findForgotten(acknowledged, history(5))).toHaveLength(1)
    expect(findForgotten(acknowledged, new Map())).toHaveLength(2)
  })
})
