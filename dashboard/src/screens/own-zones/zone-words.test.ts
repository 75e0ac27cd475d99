import { describe, expect, test } from 'vitest'
import { ownZone } from '../../../test/own-zones.ts'
import { dueText, earlyTask, extraTasks, isInside, isRegistrarDone, lookOf } from './zone-words.ts'

const NOW = Date.parse('2026-05-12T08:30:00.000Z')

test.each([
  ['2026-05-12T08:30:20.000Z', 'in 1 min'],
  ['2026-05-12T08:40:00.000Z', 'in 10 min'],
  ['2026-05-12T14:35:00.000Z', 'in 6 h 5 min'],
  ['2026-06-11T08:30:00.000Z', 'in 30 days'],
  ['2026-05-12T08:30:00.000Z', 'now'],
  ['2026-05-12T08:29:00.000Z', 'now'],
])('a check at %s is due %s', (time, text) => {
  expect(dueText(time, NOW)).toBe(text)
})

test.each([
  ['ns1.example.com', true],
  ['example.com', true],
  ['ns1.myexample.com', false],
  ['ns1.example.net', false],
])('whether %s is in example.com: %s', (hostname, isIn) => {
  expect(isInside(hostname, 'example.com')).toBe(isIn)
})

describe('the state', () => {
  const wrong = ownZone().last_check
  const right = wrong && { ...wrong, is_right: true }
  const LATER = '2026-06-11T08:30:00.000Z'
  test.each([
    ['Pending', {}],
    ['Active', { state: 'active', last_check: right }],
    ['Active, check failed', { state: 'active', last_check: wrong }],
    ['Active, ending', { state: 'active', last_check: right, withheld_at: LATER }],
    ['Withheld', { state: 'withheld', withheld_at: LATER }],
    ['Lost', { state: 'lost' }],
    ['Expired', { state: 'expired' }],
  ] as const)('%s', (word, changes) => {
    expect(lookOf(ownZone(changes)).word).toBe(word)
  })
})

test('the registrar is done when its five facts are right, whatever our servers answer', () => {
  const check = ownZone().last_check
  if (check === null) throw new Error('the example was checked')
  const fact = check.facts[0]
  if (fact === undefined) throw new Error('the check has facts')
  const facts = (['delegated', 'names', 'glue', 'ipv4', 'ipv6'] as const).map((name) => ({
    ...fact,
    fact: name,
    state: 'right' as const,
  }))
  const zoneWith = (...all: typeof check.facts) => ownZone({ last_check: { ...check, facts: all } })
  const unanswered = { ...fact, fact: 'authoritative' as const, state: 'wrong' as const }
  expect(isRegistrarDone(zoneWith(...facts, unanswered))).toBe(true)
  expect(isRegistrarDone(zoneWith(...facts, { ...fact, fact: 'ipv6', state: 'wrong' }))).toBe(false)
  const incomplete = { ...fact, fact: 'ipv6' as const, state: 'incomplete' as const }
  expect(isRegistrarDone(zoneWith(...facts.slice(0, 4), incomplete))).toBe(true)
  expect(isRegistrarDone(ownZone({ last_check: null }))).toBe(false)
})

test('a record must prove a contested domain, and can prove another one early', () => {
  const of = (...methods: ('delegation' | 'txt' | 'ns')[]) => ({
    tasks: methods.map((method) => ({
      method,
      name: 'example.com',
      type: method === 'txt' ? ('TXT' as const) : ('NS' as const),
      values: [],
      description: '',
    })),
  })
  const methodsOf = (zone: ReturnType<typeof of>) => extraTasks(zone).map(({ method }) => method)
  expect(methodsOf(of('txt', 'ns'))).toEqual(['txt', 'ns'])
  expect(earlyTask(of('txt', 'ns'))).toBeUndefined()
  expect(methodsOf(of('delegation', 'txt'))).toEqual([])
  expect(earlyTask(of('delegation', 'txt'))?.method).toBe('txt')
  expect(earlyTask(of())).toBeUndefined()
})
