import { expect, test } from 'vitest'
import { sparklineOf, uptimeLineOf } from './sparkline-path.ts'

const parts = (...figures: number[]) =>
  figures.map((queries, n) => ({ queries, is_partial: n === figures.length - 1 }))

test.each([
  ['the present part is left out', parts(0, 10, 5, 99), 1, 'M0,23 L50,1 L100,12'],
  ['parts are added up, from the last whole one', parts(99, 1, 1, 2, 2, 9), 2, 'M0,12 L100,1'],
  ['no queries', parts(0, 0, 0), 1, undefined],
  ['one point', parts(3, 9), 1, undefined],
  ['nothing', [], 1, undefined],
])('%s', (_, given, partsPerPoint, path) => {
  expect(sparklineOf(given, partsPerPoint)).toBe(path)
})

test.each([
  ['a scale of small differences', [100, 95, 90], 'M0,1 L50,12 L100,23'],
  ['a scale down to the lowest', [100, 50, 0], 'M0,1 L50,12 L100,23'],
  ['a gap without data', [null, 100, null, 100, 100], 'M25,1 M75,1 L100,1'],
  ['one point', [null, 100], undefined],
  ['nothing', [], undefined],
])('uptime has %s', (_, hours, path) => {
  expect(uptimeLineOf(hours)).toBe(path)
})
