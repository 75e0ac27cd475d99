/** What can stand beside, above and below what. */
import { expect, test } from 'vitest'
import { conflictOf, orphansOf, type RecordPlace, Standing } from './records-conflicts.ts'

const NAME = 'home.test'

/** `owner TYPE value…`, relative to the place; `!` before it: the service's own. */
function standing(
  kind: RecordPlace['kind'],
  domains: readonly string[],
  records: readonly string[],
): Standing {
  const full = (name: string) => (name === '@' ? NAME : `${name}.${NAME}`)
  const stands = new Standing({ fqdn: NAME, kind }, domains.map(full))
  for (const text of records) {
    const [owner = '', type = '', ...values] = text.replace(/^!/, '').split(' ')
    stands.put(full(owner), { type, values, isUsers: !text.startsWith('!') })
  }
  return stands
}

/** Why a record of a domain cannot be put beside others. */
function conflict(
  kind: RecordPlace['kind'],
  domains: readonly string[],
  records: readonly string[],
): string | undefined {
  const stands = standing(kind, domains, records)
  const [owner = '', type = ''] = (records.at(-1) ?? '').split(' ')
  return conflictOf({ owner: owner === '@' ? NAME : `${owner}.${NAME}`, type }, stands)?.message
}

const HOME = ['@']

test.each<[RecordPlace['kind'], readonly string[], readonly string[]]>([
  ['domain', HOME, ['@ TXT "a"', '@ MX 10 a.']],
  ['domain', HOME, ['_443._tcp.www TLSA 3']],
  ['domain', HOME, ['www CNAME a.example.']],
  // RFC 1034 §3.6.2: names below an alias are not of the alias.
  ['domain', HOME, ['www CNAME a.example.', 'x.www TXT "a"']],
  ['domain', HOME, ['x.www TXT "a"', 'www CNAME a.example.']],
  // Chains and loops can lead through other zones.
  ['domain', HOME, ['a CNAME b.home.test.', 'b CNAME a.home.test.']],
  ['domain', HOME, ['lab NS ns.example.com.']],
  ['domain', HOME, ['lab NS ns1.lab.home.test.', 'ns1.lab A 192.0.2.1']],
  ['domain', HOME, ['ns1.lab A 192.0.2.1', 'lab NS ns1.lab.home.test.']],
  ['domain', ['@', '*'], ['* TXT "a"']],
  ['domain', ['@', '*'], ['*.x TXT "a"']],
  ['domain', ['@', 'x', '*.x'], ['*.x TXT "a"']],
  ['zone', [], ['* TXT "a"']],
  ['zone', [], ['* CNAME a.example.']],
  ['zone', [], ['!@ NS ns1.home.test.', '@ MX 10 a.']],
  ['zone', [], ['!ns1 A 192.0.2.1', 'ns1 TXT "a"']],
  ['zone', [], ['7 PTR a.example.']],
  ['zone', ['www'], ['www TXT "a"']],
])('in a %s with the domains %j, the last of %j can stand', (...state) => {
  expect(conflict(...state)).toBeUndefined()
})

test.each<[string, RecordPlace['kind'], readonly string[], readonly string[]]>([
  ['CNAME records below it', 'domain', HOME, ['@ CNAME a.example.']],
  ['NS records below it', 'domain', HOME, ['@ NS a.example.']],
  ['where a domain stands', 'domain', ['@', 'x'], ['x CNAME a.example.']],
  ['where a wildcard stands', 'domain', ['@', '*'], ['* CNAME a.example.']],
  ['above the domain x.y.home.test', 'domain', ['@', 'x.y'], ['y CNAME a.example.']],
  ['above the domain x.y.home.test', 'domain', ['@', 'x.y'], ['y NS a.example.']],
  ['above the domain *.y.home.test', 'zone', ['*.y'], ['y NS a.example.']],
  ['cannot have a CNAME', 'domain', HOME, ['www TXT "a"', 'www CNAME a.example.']],
  ['cannot have other records', 'domain', HOME, ['www CNAME a.example.', 'www TXT "a"']],
  ['would hide', 'domain', HOME, ['lab TXT "a"', 'lab NS a.example.']],
  ['answer for its TXT', 'domain', HOME, ['lab NS a.example.', 'lab TXT "a"']],
  ['would hide the TXT', 'domain', HOME, ['x.y.lab TXT "a"', 'lab NS a.example.']],
  ['would hide the NS', 'domain', HOME, ['sub.lab NS b.example.', 'lab NS a.example.']],
  ['would hide the A', 'domain', HOME, ['x.lab A 192.0.2.1', 'lab NS a.example.']],
  ['is delegated', 'domain', HOME, ['lab NS a.example.', 'x.lab TXT "a"']],
  ['is delegated', 'domain', HOME, ['lab NS a.example.', 'sub.lab NS b.example.']],
  ['is delegated', 'domain', HOME, ['lab NS a.example.', 'x.lab A 192.0.2.1']],
  ['Set the address of the domain', 'domain', HOME, ['@ A 192.0.2.1']],
  ['Register x.home.test', 'domain', HOME, ['x AAAA 2001:db8::1']],
  ['in your own zones', 'domain', HOME, ['7 PTR a.example.']],
  ['has no wildcard', 'domain', HOME, ['* TXT "a"']],
  ['x.home.test has no wildcard', 'domain', ['@', '*', 'x'], ['*.x TXT "a"']],
  ['cannot have NS', 'zone', [], ['* NS a.example.']],
  ['zone apex', 'zone', [], ['!@ NS ns1.home.test.', '@ CNAME a.example.']],
  ['cannot have a CNAME', 'zone', [], ['!ns1 A 192.0.2.1', 'ns1 CNAME a.example.']],
  ['would hide', 'zone', [], ['!ns1 A 192.0.2.1', 'ns1 NS a.example.']],
])('%s: in a %s with the domains %j, the last of %j', (words, ...state) => {
  expect(conflict(...state)).toContain(words)
})

test('the records of the service keep their place', () => {
  const stands = standing('zone', [], ['!@ NS ns1.home.test.', '!ns1 A 192.0.2.1'])
  for (const wanted of [
    { owner: NAME, type: 'NS' },
    { owner: `ns1.${NAME}`, type: 'A' },
  ]) {
    expect(conflictOf(wanted, stands)?.message).toContain('The service makes')
  }
})

test('NS records stay while they have glue', () => {
  const glue = 'ns1.lab A 192.0.2.1'
  const without = standing('domain', HOME, [glue])
  expect(orphansOf(`lab.${NAME}`, without)?.message).toContain('Delete it first')
  const other = standing('domain', HOME, [glue, 'lab NS ns.example.com.'])
  expect(orphansOf(`lab.${NAME}`, other)?.message).toContain(`ns1.lab.${NAME}`)
  const kept = standing('domain', HOME, [glue, 'lab NS NS1.lab.home.test.'])
  expect(orphansOf(`lab.${NAME}`, kept)).toBeUndefined()
})

test('what is removed does not stand in the way', () => {
  const stands = standing('domain', HOME, ['www TXT "a"', 'lab NS a.example.', 'x.lab TXT "a"'])
  stands.remove(`www.${NAME}`, 'TXT')
  expect(conflictOf({ owner: `www.${NAME}`, type: 'CNAME' }, stands)).toBeUndefined()
  stands.remove(`x.lab.${NAME}`, 'TXT')
  expect(conflictOf({ owner: `lab.${NAME}`, type: 'NS' }, stands)).toBeUndefined()
})
