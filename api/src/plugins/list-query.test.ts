import { describe, expect, test } from 'vitest'
import { isTrue, type ListForm, oneOf, sameText } from '../models/list.ts'
import { contentRange, type ListQuery, parseListQuery } from './list-query.ts'

const rules = {
  sort: { id: 'id', fqdn: 'fqdn' },
  filter: { q: sameText('fqdn'), is_active: isTrue('is_active'), id: oneOf('id') },
  keys: ['id'],
} satisfies ListForm
const paged = { ...rules, pageSize: 25, pageLimit: 100 }

describe('a request', () => {
  test('without parameters: all items, sorted by the first field', () => {
    expect(parseListQuery({}, rules)).toEqual({
      sort: { field: 'id', order: 'asc' },
      offset: 0,
      limit: undefined,
      filter: {},
    })
  })

  test('a page of a sorted and filtered list', () => {
    const query = {
      sort: '["fqdn","DESC"]',
      range: '[50,74]',
      filter: '{"q":"home","is_active":true,"id":["1",2]}',
    }
    expect(parseListQuery(query, rules)).toEqual({
      sort: { field: 'fqdn', order: 'desc' },
      offset: 50,
      limit: 25,
      filter: { q: 'home', is_active: true, id: ['1', '2'] },
    })
  })

  test.each([
    [{}, 25],
    [{ range: '[0,9]' }, 10],
    [{ range: '[0,9999]' }, 100],
    [{ limit: 1 }, 1],
    [{ limit: 1000 }, 25],
    [{ range: '[0,9]', limit: 3 }, 3],
  ])('%j gives at most %i items of a paged list', (query, limit) => {
    expect(parseListQuery(query, paged).limit).toBe(limit)
  })
})

describe('an unreadable value is refused with its parameter', () => {
  test.each<[ListQuery, string]>([
    [{ sort: 'fqdn' }, 'sort'],
    [{ sort: '["fqdn"]' }, 'sort'],
    [{ sort: '["password_hash","ASC"]' }, 'sort'],
    [{ sort: '["fqdn","asc; drop table users"]' }, 'sort'],
    [{ sort: '{"fqdn":"ASC"}' }, 'sort'],
    [{ range: '0-24' }, 'range'],
    [{ range: '[24,0]' }, 'range'],
    [{ range: '[-1,5]' }, 'range'],
    [{ range: '[0,1e400]' }, 'range'],
    [{ range: '[0.5,2]' }, 'range'],
    [{ range: '[0]' }, 'range'],
    [{ range: 'null' }, 'range'],
    [{ filter: '[]' }, 'filter'],
    [{ filter: 'null' }, 'filter'],
    [{ filter: '{' }, 'filter'],
    [{ filter: '{"password":"x"}' }, 'filter.password'],
    [{ filter: '{"__proto__":"x"}' }, 'filter.__proto__'],
    [{ filter: '{"q":1}' }, 'filter.q'],
    [{ filter: String.raw`{"q":"a\u0000b"}` }, 'filter.q'],
    [{ filter: '{"is_active":"true"}' }, 'filter.is_active'],
    [{ filter: '{"id":"1 or 1=1"}' }, 'filter.id'],
    [{ filter: '{"id":[{}]}' }, 'filter.id'],
  ])('%j', (query, field) => {
    expect(() => parseListQuery(query, rules)).toThrow(
      expect.objectContaining({
        code: 'validation-failed',
        faults: [expect.objectContaining({ field })],
      }),
    )
  })
})

test.each([
  [0, 25, 312, 'domains 0-24/312'],
  [300, 12, 312, 'domains 300-311/312'],
  [0, 0, 0, 'domains */0'],
  [10, 0, 0, 'domains */0'],
])('from %i, %i items of %i', (offset, count, total, header) => {
  expect(contentRange('domains', offset, count, total)).toEqual({ 'content-range': header })
})

test('a page after the last item is refused', () => {
  expect(() => contentRange('domains', 312, 0, 312)).toThrow(
    expect.objectContaining({ code: 'range-not-satisfiable' }),
  )
})
