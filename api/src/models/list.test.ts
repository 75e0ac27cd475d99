/** The contents of a page of a list, on a real table. */
import type { Knex } from 'knex'
import { raw } from 'objection'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FeedWorld, makeUser, openFeedWorld } from '../../test/support/feed-world.ts'
import {
  containing,
  isTrue,
  type ListForm,
  type ListRequest,
  oneOf,
  readFrequentList,
  readList,
  sameText,
} from './list.ts'
import { User } from './user.ts'

const FORM = {
  sort: {
    username: 'users.username',
    surname: 'users.surname',
    plan: 'users.account_type',
    initial: raw('left(users.username, 1)'),
  },
  filter: {
    plan: sameText('users.account_type'),
    enabled: isTrue('users.enabled'),
    id: oneOf('users.id'),
  },
  keys: ['users.username'],
} as const satisfies ListForm

type ListWish = Partial<ListRequest<typeof FORM>>
interface Named {
  readonly username: string
}

let world: FeedWorld
let knex: Knex
const ids: Record<string, string> = {}

/** By name, with surname and plan; Ada is disabled. */
const PEOPLE = [
  ['ada', 'Lovelace', 'pro'],
  ['alan', null, 'free'],
  ['bob', 'Kahn', 'free'],
  ['carol', null, 'pro'],
  ['dan', 'Ingalls', 'pro'],
] as const

beforeAll(async () => {
  world = await openFeedWorld()
  ;({ knex } = world)
  for (const [name, surname, plan] of PEOPLE) {
    const id = await makeUser(knex, name, plan)
    ids[name] = id
    await User.query(knex)
      .findById(id)
      .patch({ surname, enabled: name !== 'ada' })
  }
})
afterAll(() => world.end())

const WHOLE = { offset: 0, limit: undefined, filter: {} }
const sorted = (field: keyof typeof FORM.sort, order: 'asc' | 'desc' = 'asc') => ({
  sort: { field, order },
})

async function listed(asked: ListWish) {
  const request = { ...WHOLE, ...sorted('username'), ...asked }
  const { rows, total } = await readList<Named>(User.query(knex).select('username'), FORM, request)
  return { names: rows.map(({ username }) => username).join(' '), total }
}

test('a whole list has the requested order', async () => {
  expect(await listed({})).toEqual({ names: 'ada alan bob carol dan', total: 5 })
  expect((await listed(sorted('username', 'desc'))).names).toBe('dan carol bob alan ada')
})

test('rows without a value come last in either direction, in the order of the key', async () => {
  expect((await listed(sorted('surname'))).names).toBe('dan bob ada alan carol')
  expect((await listed(sorted('surname', 'desc'))).names).toBe('ada bob dan alan carol')
})

test.each(['plan', 'initial'] as const)(
  'pages in the order of %s, which many rows share, have each row once',
  async (field) => {
    const pages = []
    for (const offset of [0, 2, 4]) {
      const page = await listed({ ...sorted(field), offset, limit: 2 })
      expect(page.total).toBe(5)
      pages.push(page.names)
    }
    expect(pages.join(' ')).toBe((await listed(sorted(field))).names)
  },
)

test.each<[ListWish['filter'], string]>([
  [{ plan: 'pro' }, 'ada carol dan'],
  [{ enabled: false }, 'ada'],
  [{ plan: 'pro', enabled: true }, 'carol dan'],
  [{ id: [] }, ''],
])('the filter %j gives %s', async (filter = {}, names) => {
  const total = names.split(' ').filter(Boolean).length
  expect(await listed({ filter })).toEqual({ names, total })
  expect((await listed({ filter, limit: 1 })).total).toBe(total)
})

test('rows are found by their ids', async () => {
  const wanted = [ids['bob'] ?? '', ids['dan'] ?? '']
  expect((await listed({ filter: { id: wanted } })).names).toBe('bob dan')
})

test('a frequent list equals the normal list', async () => {
  const read = async (plan: string, page: { offset: number; limit: number | undefined }) => {
    const build = () => User.query(knex).select('username').where('account_type', plan)
    const list = { name: 'users of a plan', build, values: [plan] }
    const { rows, total } = await readFrequentList<Named>(knex, list, FORM, {
      ...page,
      ...sorted('surname', 'desc'),
    })
    return { names: rows.map(({ username }) => username).join(' '), total }
  }
  expect(await read('pro', WHOLE)).toEqual({ names: 'ada dan carol', total: 3 })
  expect(await read('free', WHOLE)).toEqual({ names: 'bob alan', total: 2 })
  expect(await read('pro', { offset: 1, limit: 1 })).toEqual({ names: 'dan', total: 3 })
})

test('special characters in a search text have no meaning', () => {
  expect(containing('50%_a\\b')).toBe(String.raw`%50\%\_a\\b%`)
})
