import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../../../test/mock.ts'
import type { ApiKey } from '../../../api/api-keys.ts'
import { bodyOf, dayOf, EMPTY_KEY, endOf, faultsInKey, keyDraftOf } from './key-draft.ts'
import { EMPTY_SCOPE, faultsInScope, presetOf, scopeDraftOf, scopeOf } from './scope-draft.ts'
import { endingOf, isForgotten, scopeSentences } from './scope-text.ts'
import { secretIn } from './secret-formats.ts'

const NOW = Date.parse('2026-05-12T08:30:00.000Z')
const EVERYTHING = { domains: null, actions: null, record_types: null, networks: null }
const [example] = exampleOf('listApiKeys')
const apiKey = (changes: Partial<ApiKey>): ApiKey => ({
  ...(example as ApiKey),
  unused_days: null,
  ...changes,
})

test('a scope in words', () => {
  expect(scopeSentences(EVERYTHING)).toEqual([
    'Can read, update, create and delete all your domains.',
  ])
  const domains = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test']
  const narrow = {
    domains,
    actions: ['read' as const],
    record_types: ['A' as const],
    networks: ['192.0.2.0/24'],
  }
  expect(scopeSentences(narrow)).toEqual([
    'Can read a.test, b.test, c.test and 2 others.',
    'Sets only A records.',
    'Works only from 192.0.2.0/24.',
  ])
})

test('what is not limited is sent as null, and comes back as the same form', () => {
  const draft = { ...scopeDraftOf(EVERYTHING), domains: ' \n' }
  expect(scopeOf(draft)).toEqual(EVERYTHING)
  expect(presetOf(draft)).toBe('full')
  const scope = { ...EVERYTHING, domains: ['a.test', '*.b.test'], networks: ['192.0.2.1/32'] }
  expect(scopeOf(scopeDraftOf(scope))).toEqual(scope)
  expect(scopeOf({ ...EMPTY_SCOPE, domains: 'a.test, *.b.test;c.test' }).domains).toEqual([
    'a.test',
    '*.b.test',
    'c.test',
  ])
})

test('a scope without an action or with too many domains is a mistake', () => {
  const domains = Array.from({ length: 101 }, (_, at) => `d${at}.test`).join('\n')
  expect(faultsInScope({ ...EMPTY_SCOPE, domains, actions: [], recordTypes: [] })).toEqual({
    domains: 'A key can have at most 100 domains and patterns. You entered 101.',
    actions: 'Choose at least one action.',
    record_types: 'Choose at least one record type.',
  })
})

describe('the end of a key', () => {
  test('is 90 days from now unless the user chooses another', () => {
    expect(endOf(EMPTY_KEY, NOW)).toBe('2026-08-10T08:30:00.000Z')
    expect(endOf({ ...EMPTY_KEY, expiry: 'never' }, NOW)).toBeNull()
    const day = { ...EMPTY_KEY, name: 'a', expiry: 'date' as const }
    expect(faultsInKey(day)).toEqual({ lastDay: 'Choose a day.' })
    const end = new Date(endOf({ ...day, lastDay: '2026-06-01' }, NOW) ?? '')
    expect([dayOf(end), end.getHours()]).toEqual(['2026-06-01', 23])
  })

  test('keeps its time of day when the day is not changed', () => {
    const kept = apiKey({ expires_at: '2026-06-01T12:34:56.000Z' })
    expect(bodyOf(keyDraftOf(kept), NOW, kept).expires_at).toBe('2026-06-01T12:34:56.000Z')
    const moved = { ...keyDraftOf(kept), lastDay: '2026-07-01' }
    expect(bodyOf(moved, NOW, kept).expires_at).not.toBe('2026-06-01T12:34:56.000Z')
  })

  test.each([
    [{ expires_at: null }, 'Never expires', 'plain'],
    [{ expires_at: null, unused_days: 90 }, 'Expires after 90 days without use', 'plain'],
    [{ expires_at: '2026-05-13T00:00:00.000Z' }, 'Expires within a day', 'soon'],
    [{ expires_at: '2026-05-20T00:00:00.000Z' }, 'Expires in 8 days', 'soon'],
    [{ expires_at: '2026-05-12T08:30:00.000Z' }, 'Expired', 'over'],
    [{ expires_at: '2026-05-11T00:00:00.000Z' }, 'Expired', 'over'],
    [{ is_expired: true }, 'Expired', 'over'],
  ] as const)('%j: %s', (changes, text, tone) => {
    expect(endingOf(apiKey(changes), NOW)).toEqual({ text, tone })
  })
})

test('a key that is not used for 90 days is forgotten', () => {
  const created_at = '2026-01-01T00:00:00.000Z'
  expect(isForgotten(apiKey({ created_at }), NOW)).toBe(true)
  expect(isForgotten(apiKey({ created_at, is_expired: true }), NOW)).toBe(false)
  expect(isForgotten(apiKey({ created_at, last_used_at: '2026-05-01T00:00:00.000Z' }), NOW)).toBe(
    false,
  )
})

test('the formats of a secret', () => {
  const use = { secret: 'ak_it', origin: 'https://dns.example.net' }
  const scope = { ...EVERYTHING, domains: ['*.ci.test', 'home.test'] }
  expect(secretIn('raw', { ...use, scope })).toBe('ak_it')
  expect(secretIn('curl', { ...use, scope })).toBe(
    'curl -H "Authorization: Bearer ak_it" "https://dns.example.net/nic/update?hostname=home.test"',
  )
  expect(secretIn('curl', { ...use, scope: { ...scope, actions: ['read'] } })).toContain(
    'https://dns.example.net/api/domains"',
  )
  expect(secretIn('ddclient', { ...use, scope }).split('\n')).toEqual([
    'protocol=dyndns2',
    'use=web, web=https://dns.example.net/checkip',
    'server=dns.example.net',
    'ssl=yes',
    'login=home.test',
    "password='ak_it'",
    'home.test',
  ])
})
