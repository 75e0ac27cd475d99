import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWholeTable } from './dyndns2.ts'
import { readPlainRequest } from './plain-request.ts'

const HOME = 'home.homing.test'
const from = { detected: '198.51.100.7', policy: 'any' } as const

test.each(['192.0.2.7', '2001:db8::7', '2001:DB8:0::7'])('a name and %s', (myip) => {
  expect(readPlainRequest({ hostname: HOME, myip }, from)).toMatchObject({
    hosts: [HOME],
    addresses: { said: myip },
  })
})

test.each<Record<string, string | string[]>>([
  { hostname: HOME },
  { myip: '192.0.2.7' },
  { hostname: HOME, myip: '' },
  { hostname: HOME, myip: 'auto' },
  { hostname: HOME, myip: ' 192.0.2.7' },
  { hostname: HOME, myip: '192.0.2.7,2001:db8::7' },
  { hostname: HOME, myip: '2001:db8::7/64' },
  { hostname: HOME, myip: '0.0.0.0' },
  { hostname: HOME, myip: '192.0.2.7', offline: 'YES' },
  { hostname: HOME, myip: '192.0.2.7', system: 'dyndns' },
  { hostname: [HOME, HOME], myip: '192.0.2.7' },
  { hostname: HOME, myip: ['192.0.2.7'] },
  { hostname: `${HOME},nas.homing.test`, myip: '192.0.2.7' },
  { hostname: `${HOME}.`, myip: '192.0.2.7' },
  { hostname: 'Home.homing.test', myip: '192.0.2.7' },
  { hostname: 'home', myip: '192.0.2.7' },
  { hostname: 'YES', myip: '192.0.2.7' },
  { hostname: '', myip: '192.0.2.7' },
])('%j is left to the complete parser', (parameters) => {
  expect(readPlainRequest(parameters, from)).toBeUndefined()
})

describe('plain requests', () => {
  const label = fc.stringMatching(/^[a-zA-Z0-9-]{1,8}$/)
  const hostname = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
    fc.constantFrom(
      'YES',
      `${HOME}.`,
      ` ${HOME}`,
      `${HOME} http://svc.test/`,
      'münchen.homing.test',
    ),
    fc.string({ unit: 'binary' }),
  )
  const myip = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom(
      '',
      '-',
      'auto',
      '::ffff:192.0.2.1',
      '192.0.2.1 http://svc.test/',
      '2001:db8::/64',
    ),
    fc.string({ unit: 'binary' }),
  )
  const caller = fc.record({
    detected: fc.constantFrom(undefined, '198.51.100.7'),
    policy: fc.constantFrom('any' as const, 'public' as const),
  })

  test('have the meaning that the complete parser gives them, in every dialect', () => {
    const options = fc.record({ mayDetect: fc.boolean(), mayBeLabels: fc.boolean() })
    fc.assert(
      fc.property(hostname, myip, caller, options, (name, address, who, allowed) => {
        const parameters = { hostname: name, myip: address }
        const whole = readWholeTable(parameters, who, allowed)
        expect(readPlainRequest(parameters, who) ?? whole).toEqual(whole)
      }),
      { numRuns: 2_000 },
    )
  })
})
