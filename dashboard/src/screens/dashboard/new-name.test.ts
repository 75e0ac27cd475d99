import { expect, test } from 'vitest'
import { namesNear, typeOfAddress, wholeName } from './new-name.ts'

test.each([
  ['home', 'home.homing.test'],
  ['  Home ', 'home.homing.test'],
  ['nas.home', 'nas.home.homing.test'],
  ['home.homing.test', 'home.homing.test'],
  ['home.homing.test.', 'home.homing.test'],
  ['homing.test', 'homing.test.homing.test'],
  ['@', 'homing.test'],
  ['a_b', 'a_b.homing.test'],
  ['', ''],
  [' . ', ''],
])('%j is %j', (typed, name) => {
  expect(wholeName(typed, 'homing.test')).toBe(name)
})

test('without a zone the domain is empty', () => {
  expect(wholeName('home', '')).toBe('')
})

test.each([
  ['198.51.100.7', 'A'],
  ['198.', 'A'],
  ['2001:db8::1', 'AAAA'],
  ['::ffff:192.0.2.1', 'AAAA'],
  ['2001', undefined],
  ['', undefined],
  ['home', undefined],
])('%j is an address of type %s', (typed, type) => {
  expect(typeOfAddress(typed)).toBe(type)
})

test('names near another are in other zones, or differ in their first label', () => {
  const near = (typed: string, zones: readonly string[]) =>
    namesNear(typed, 'homing.test', zones).map(({ fqdn }) => fqdn)
  const zones = ['homing.test', 'a.test', 'b.test', 'c.test']
  expect(near('Home', zones)).toEqual([
    'home.a.test',
    'home.b.test',
    'home2.homing.test',
    'my-home.homing.test',
    'home-net.homing.test',
  ])
  expect(near(`${'x'.repeat(62)}.nas`, ['homing.test'])).toEqual([
    `${'x'.repeat(62)}2.nas.homing.test`,
  ])
})
