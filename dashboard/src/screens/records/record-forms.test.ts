/** Values in the fields of their type, and back. */
import { expect, test } from 'vitest'
import {
  changeOf,
  draftOf,
  missingIn,
  newDraft,
  newRecordOf,
  valueDraftOf,
} from './record-draft.ts'
import { formOf, OTHER, typeChoices } from './record-forms.ts'
import { fullOwner, relativeOwner } from './record-place.ts'
import { stringsOfText, textOfStrings } from './value-text.ts'

test.each<[string, string, readonly string[]]>([
  ['TXT', '"v=spf1 -all"', ['v=spf1 -all']],
  ['TXT', String.raw`"say \"hi\" \\ there; \195\188"`, ['say "hi" \\ there; ü']],
  ['MX', '10 mail.example.com.', ['10', 'mail.example.com.']],
  ['CNAME', 'www.example.com.', ['www.example.com.']],
  ['CAA', '128 issuewild ";"', ['128', 'issuewild', ';']],
  ['CAA', '0 iodef "mailto:a@example.com"', ['0', 'iodef', 'mailto:a@example.com']],
  ['SRV', '0 5 5060 sip.example.com.', ['0', '5', '5060', 'sip.example.com.']],
  ['SSHFP', '4 2 00ff', ['4', '2', '00ff']],
  ['TLSA', '3 1 1 00ff', ['3', '1', '1', '00ff']],
  ['HTTPS', '1 . alpn="h2,h3" port=8443', ['1', '.', 'alpn="h2,h3" port=8443']],
  ['HTTPS', '0 www.example.com.', ['0', 'www.example.com.', '']],
  ['TYPE65280', String.raw`\# 4 0A000001`, [String.raw`\# 4 0A000001`]],
])('%s %s has the fields %j', (type, value, parts) => {
  const draft = valueDraftOf(type, value)
  expect(draft).toMatchObject({ parts, isRaw: false })
  expect(formOf(type).write(parts)).toBe(value)
})

test.each([
  ['TXT', '"a" "b"'],
  ['TXT', String.raw`"\255"`],
  ['SRV', '0 5060 sip.example.com.'],
  ['CAA', '0 issue letsencrypt.org'],
])('%s %s would not survive its fields, so it is shown as it is', (type, value) => {
  expect(valueDraftOf(type, value)).toMatchObject({ parts: [value], isRaw: true })
})

test('a long text becomes strings of at most 255 octets, and is one text again', () => {
  const text = `${'ü'.repeat(200)}"`
  const strings = stringsOfText(text)
  expect(strings.split('" "')).toHaveLength(2)
  expect(textOfStrings(strings)).toBe(text)
})

test('a draft is sent when every field that needs a text has one', () => {
  const mx = newDraft({ owner: '', type: 'MX' })
  expect(missingIn(mx)).toBe('Fill in each mail server.')
  const [value] = mx.values
  if (value === undefined) throw new Error('a new record has a value')
  const filled = { ...mx, values: [{ ...value, parts: ['10', ' mail.example.com '] }] }
  expect(missingIn(filled)).toBeUndefined()
  expect(newRecordOf(filled)).toEqual({ owner: '@', type: 'MX', values: ['10 mail.example.com'] })
  expect(missingIn({ ...filled, ttl: 'long' })).toMatch(/^Enter the TTL/)
  expect(missingIn({ ...filled, type: OTHER, number: 'x' })).toMatch(/^Enter the number/)
  expect(newRecordOf({ ...filled, type: OTHER, number: '65280' }).type).toBe('TYPE65280')
})

test('an edited record sends what changed alone', () => {
  const record = {
    id: '81',
    domain_id: '42',
    zone: 'example.net',
    owner: 'home.example.net',
    type: 'TXT',
    ttl: 3_600,
    values: ['"a" "b"', '"c"'],
    is_served: true,
    created_at: '2026-05-12T08:30:00.000Z',
    version: 3,
  }
  const draft = draftOf(record, 'home.example.net')
  expect(changeOf(draft, record)).toEqual({})
  expect(changeOf({ ...draft, ttl: '300' }, record)).toEqual({ ttl: 300 })
  expect(changeOf({ ...draft, ttl: '', values: draft.values.slice(0, 1) }, record)).toEqual({
    values: ['"a" "b"'],
  })
})

test.each([
  ['@', 'home.example.net', 'home.example.net'],
  ['', 'home.example.net', 'home.example.net'],
  ['_443._tcp.WWW', 'home.example.net', '_443._tcp.www.home.example.net'],
  ['www.home.example.net.', 'home.example.net', 'www.home.example.net'],
])('the owner %j means %s: %s', (typed, apex, full) => {
  expect(fullOwner(typed, apex)).toBe(full)
})

test('an owner is shown relative to its place', () => {
  expect(relativeOwner('home.example.net', 'home.example.net')).toBe('@')
  expect(relativeOwner('*.home.example.net', 'home.example.net')).toBe('*')
  expect(relativeOwner('xhome.example.net', 'home.example.net')).toBe('xhome.example.net')
})

test('places and plans decide which types are offered', () => {
  const typesOf = (...of: Parameters<typeof typeChoices>) =>
    typeChoices(...of).map(([type]) => type)
  expect(typesOf('zone', 'txt')).toEqual(['TXT'])
  expect(typesOf('domain', 'all')).not.toContain('PTR')
  expect(typesOf('zone', 'all')).toContain('PTR')
})
