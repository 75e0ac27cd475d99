import { expect, test } from 'vitest'
import { exampleOf } from '../../../../test/mock.ts'
import type { DomainEvent } from '../../../api/domain-history.ts'
import { changesOf, isUndoable, programOf, sourceOf, whoOf } from './event-words.ts'

const [EXAMPLE] = exampleOf('listDomainEvents')
const event = (changes: Partial<DomainEvent>): DomainEvent => ({
  ...(EXAMPLE as DomainEvent),
  ...changes,
})

type Forward = NonNullable<DomainEvent['new']['forward']>

const forwardTo = (target_url: string, changes: Partial<Forward> = {}): Forward => ({
  target_url,
  forwarding_type: 'redirect',
  status_code: 301,
  title: null,
  description: null,
  keywords: null,
  forward_path: true,
  forward_query: true,
  is_active: true,
  disabled_reason: null,
  ...changes,
})

const recordOf = (values: string[]) => ({
  owner: 'home.example.net',
  type: 'MX',
  ttl: 3_600,
  values,
})

test.each<[Partial<DomainEvent>, string[]]>([
  [
    {
      kind: 'forward-changed',
      old: { forward: forwardTo('https://a.example.com/') },
      new: { forward: forwardTo('https://b.example.com/') },
    },
    ['Target changed from https://a.example.com/ to https://b.example.com/'],
  ],
  [
    {
      kind: 'forward-changed',
      old: { forward: forwardTo('https://a.example.com/') },
      new: {
        forward: forwardTo('https://a.example.com/', {
          forwarding_type: 'stealth',
          status_code: 302,
          title: 'Shop',
          forward_path: false,
          is_active: false,
          disabled_reason: 'phishing',
        }),
      },
    },
    [
      'Type changed from redirect to stealth',
      'Status code changed from 301 to 302',
      'Title set to “Shop”',
      'The forward is paused',
      'The path is no longer appended',
      'An administrator disabled the forward: phishing',
    ],
  ],
  [
    {
      kind: 'forward-ended',
      old: { forward: forwardTo('https://a.example.com/') },
      new: { forward: null },
    },
    ['Target https://a.example.com/ removed'],
  ],
  [
    {
      kind: 'address',
      old: { record_ipv4: null, record_ipv6: '2001:db8::7' },
      new: { record_ipv4: '198.51.100.7', record_ipv6: null },
    },
    ['IPv4 address set to 198.51.100.7', 'IPv6 address 2001:db8::7 removed'],
  ],
  [
    { kind: 'created', old: {}, new: { record_ipv4: '198.51.100.7', record_ipv6: null } },
    ['IPv4 address set to 198.51.100.7'],
  ],
  [
    { kind: 'note', old: { note: 'Attic' }, new: { note: 'Cellar' } },
    ['Note changed from “Attic” to “Cellar”'],
  ],
  [{ kind: 'note', old: { note: 'Attic' }, new: { note: null } }, ['Note “Attic” removed']],
  [
    { kind: 'tags', old: { tags: ['a', 'b'] }, new: { tags: ['b', 'c', 'd'] } },
    ['“c” and “d” added', '“a” removed'],
  ],
  [
    {
      kind: 'record-created',
      old: { record: null },
      new: { record: recordOf(['10 mail.example.com.']) },
    },
    ['MX of home.example.net', '10 mail.example.com. added'],
  ],
  [
    {
      kind: 'record-changed',
      old: { record: recordOf(['10 a.example.com.', '20 b.example.com.']) },
      new: { record: { ...recordOf(['20 b.example.com.', '30 c.example.com.']), ttl: 300 } },
    },
    [
      'MX of home.example.net',
      '30 c.example.com. added',
      '10 a.example.com. removed',
      'TTL changed from 60 minutes to 5 minutes',
    ],
  ],
  [
    {
      kind: 'record-deleted',
      old: { record: recordOf(Array.from({ length: 12 }, (_, n) => `${n} m.example.com.`)) },
      new: { record: null },
    },
    [
      'MX of home.example.net',
      ...Array.from({ length: 10 }, (_, n) => `${n} m.example.com. removed`),
      'and 2 more removed',
    ],
  ],
  [
    { kind: 'deleted', old: { record_ipv4: '198.51.100.7', record_ipv6: null }, new: {} },
    ['DNS stopped answering.'],
  ],
])('%j: %j', (changes, expected) => {
  expect(changesOf(event(changes))).toEqual(expected)
})

test.each<[Partial<DomainEvent>, string, string]>([
  [{ actor: 'session', actor_name: null, client: 'Mozilla/5.0' }, 'You', 'you'],
  [
    { actor: 'update_token', actor_name: null, client: 'Fritz!Box DDNS/1.0.1' },
    'The update token',
    'FRITZ!Box',
  ],
  [
    { actor: 'api_key', actor_name: 'Router', client: null },
    'The API key “Router”',
    'the API key “Router”',
  ],
  [
    { actor: 'pipeline', actor_name: null, client: null },
    'A deleted pipeline',
    'a deleted pipeline',
  ],
  [
    { actor: 'administrator', actor_name: null, client: null },
    'An administrator',
    'an administrator',
  ],
])('%j is %s, and %s in a sentence', (changes, who, source) => {
  expect([whoOf(event(changes)), sourceOf(event(changes))]).toEqual([who, source])
})

test('an undo is offered for the owner’s change of a forward, and not for an administrator’s decision', () => {
  const at = '2026-05-12T08:30:00.000Z'
  const [plain, paused] = [true, false].map((is_active) =>
    forwardTo('https://a.example.com/', { is_active }),
  )
  const disabled = forwardTo('https://a.example.com/', { disabled_reason: 'phishing' })
  const canUndo = (old: Forward | undefined, next: Forward | undefined) => {
    const changes = { old: { forward: old ?? null }, new: { forward: next ?? null } }
    return isUndoable(event({ kind: 'forward-changed', at, ...changes }), Date.parse(at))
  }
  expect(canUndo(plain, paused)).toBe(true)
  expect(canUndo(plain, undefined)).toBe(true)
  expect(canUndo(plain, disabled)).toBe(false)
  expect(canUndo(disabled, plain)).toBe(false)
})

test('a browser is named in few words', () => {
  const client = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  expect(programOf(event({ actor: 'session', client }))).toBe('Firefox on Linux')
})
