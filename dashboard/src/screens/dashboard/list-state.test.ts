import { expect, test } from 'vitest'
import { listParameters, readListState } from './list-state.ts'

const start = { search: '', sort: { field: 'fqdn', descending: false }, page: 1 }

test.each([
  ['', start],
  [
    'q=nas&sort=-last_update_at&page=3',
    { search: 'nas', sort: { field: 'last_update_at', descending: true }, page: 3 },
  ],
  ['sort=zone', { ...start, sort: { field: 'zone', descending: false } }],
  ['sort=-', start],
  ['sort=password', start],
  ['page=0', start],
  ['page=-1', start],
  ['page=1.5', start],
  ['page=1e9', start],
  ['page=two', start],
])('%j is read', (query, expected) => {
  expect(readListState(query)).toEqual(expected)
})

test.each(['', 'q=a%26b', 'sort=-fqdn', 'q=nas&sort=zone&page=2'])(
  '%j is written unchanged',
  (query) => {
    const parameters = listParameters(readListState(query))
    expect(new URLSearchParams(parameters).toString()).toBe(query)
  },
)
