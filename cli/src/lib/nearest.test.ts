import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const WORDS = ['add', 'remove', 'show', 'update', 'wildcard']

test.each([
  ['remoove', 'remove'],
  ['updat', 'update'],
  ['wildcrad', 'wildcard'],
  ['ad', 'add'],
  ['hsow', 'show'],
  ['show', 'show'],
])('%s is meant to be %s', (typed, meant) => {
  expect(nearest(typed, WORDS)).toBe(meant)
})

test.each(['lst', 'dance', 'x', '', 'x'.repeat(1000)])(
  '"%s" is similar to none of them',
  (typed) => {
    expect(nearest(typed, WORDS)).toBeUndefined()
  },
)
