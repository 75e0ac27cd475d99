import { expect, test } from 'vitest'
import { searchedName, unicodeName } from './unicode-name.ts'

test.each([
  ['xn--bcher-kva.example.net', 'bücher.example.net'],
  ['*.xn--bcher-kva.example.net', '*.bücher.example.net'],
  ['xn--fsqu00a.xn--fiqs8s', '例子.中国'],
  ['xn--mgbh0fb.example.net', 'مثال.example.net'],
  ['home.example.net', undefined],
  // Not the A-label of any text: overflow, an unfinished number, plain ASCII.
  ['xn--999999999.example.net', undefined],
  ['xn--bcher-kv.example.net', undefined],
  ['xn--abc-.example.net', undefined],
])('%s is %s', (fqdn, expected) => {
  expect(unicodeName(fqdn)).toBe(expected)
})

test.each([
  ['Bücher', 'xn--bcher-kva'],
  ['büro xn--bcher-kva.example.net', 'xn--bro-hoa xn--bcher-kva.example.net'],
  ['Home 192.0.2.', 'Home 192.0.2.'],
])('%s is searched for as %s', (text, expected) => {
  expect(searchedName(text)).toBe(expected)
})
