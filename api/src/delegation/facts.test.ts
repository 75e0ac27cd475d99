/** Each state of each fact, from what servers said, with its message. */
import type { DelegationFactName, FactState } from '@homing/openapi'
import { expect, it } from 'vitest'
import { delegationFacts } from './facts.ts'
import type { OurAnswer } from './our-servers.ts'
import type { ParentAnswer } from './parent-servers.ts'
import type { WhatWasFound } from './what-was-found.ts'

const NS1 = 'ns1.example.net'
const NS2 = 'ns2.example.net'
const V4 = ['192.0.2.1', '192.0.2.2'] as const
const V6 = '2001:db8::1'
const RIGHT_GLUE = { [NS1]: [V4[0], V6], [NS2]: [V4[1]] }

const parent = (
  letter: string,
  {
    nameservers = [NS1, NS2],
    glue = RIGHT_GLUE,
    ...rest
  }: Partial<Omit<ParentAnswer, 'glue'>> & { glue?: Record<string, readonly string[]> } = {},
): ParentAnswer => ({
  hostname: `${letter}.nic.net`,
  address: `198.51.100.${letter.charCodeAt(0)}`,
  transport: 'udp',
  outcome: 'delegates',
  message: '',
  hasDs: false,
  nameservers,
  glue: new Map(Object.entries(glue)),
  ...rest,
})
const not = (outcome: ParentAnswer['outcome']) => ({
  outcome,
  nameservers: [],
  glue: {},
  hasDs: undefined,
})
const our = (outcome: OurAnswer['outcome'], rest: Partial<OurAnswer> = {}): OurAnswer => ({
  hostname: NS1,
  address: V4[0],
  transport: 'udp',
  words: 'answered REFUSED',
  outcome,
  ...rest,
})

const RIGHT: WhatWasFound = {
  domain: 'example.net',
  parentZone: 'net',
  expected: [
    { hostname: NS1, ipv4: V4[0], ipv6: '2001:DB8:0::1' },
    { hostname: NS2, ipv4: V4[1], ipv6: null },
  ],
  ownershipNames: [],
  parents: [parent('a'), parent('b')],
  ours: [our('authoritative')],
}
const WAIT =
  'If you have just changed this, wait until all servers of the registry have the change.'
const REGISTRAR =
  'at your registrar, where glue records are also called host records or child name servers.'
const both = (answer: Parameters<typeof parent>[1]) => ({
  parents: [parent('a', answer), parent('b', answer)],
})
const one = (answer: Parameters<typeof parent>[1]) => ({
  parents: [parent('a'), parent('b', answer)],
})
const VANITY_ELSEWHERE = { expected: [{ hostname: 'ns1.other.org', ipv4: V4[0] }] }

it('all facts are right', () => {
  const facts = delegationFacts(RIGHT)
  expect(facts.map(({ fact, state, message }) => [fact, state, message])).toEqual([
    ['delegated', 'right', 'net delegates example.net.'],
    ['names', 'right', 'The name servers are ns1.example.net and ns2.example.net.'],
    ['glue', 'right', 'There are glue records for ns1.example.net and ns2.example.net.'],
    ['ipv4', 'right', 'The IPv4 glue is ns1.example.net 192.0.2.1 and ns2.example.net 192.0.2.2.'],
    ['ipv6', 'right', 'The IPv6 glue is ns1.example.net 2001:db8::1.'],
    ['authoritative', 'right', 'Our name servers answer for example.net with authority.'],
    ['no-ds', 'right', 'net has no DS record for example.net.'],
  ])
  expect(facts[3]?.expected).toEqual([`${NS1} ${V4[0]}`, `${NS2} ${V4[1]}`])
})

it.each<[what: string, Partial<WhatWasFound>, DelegationFactName, FactState, message: string]>([
  // delegated
  [
    'no walk',
    { parentZone: undefined, ending: 'No name server of net answered.', parents: [] },
    'delegated',
    'unknown',
    'The parent zone of example.net was not found. No name server of net answered. Expected an answer. Check again in a few minutes.',
  ],
  [
    'silent parents',
    both(not('no-answer')),
    'delegated',
    'unknown',
    'No server of net answered for it. Expected at least one answer. Check again in a few minutes.',
  ],
  [
    'lame parents',
    both(not('lame')),
    'delegated',
    'unknown',
    'No server of net answered for it. Expected at least one answer. Check again in a few minutes.',
  ],
  ['one dead parent', one(not('no-answer')), 'delegated', 'right', 'net delegates example.net.'],
  [
    'not delegated',
    both(not('does-not-delegate')),
    'delegated',
    'wrong',
    'net does not delegate example.net. Expected a delegation to ns1.example.net and ns2.example.net. Register the domain if it is not registered, and set these name servers at your registrar.',
  ],
  [
    'not delegated by the root',
    { ...both(not('does-not-delegate')), parentZone: '' },
    'delegated',
    'wrong',
    'The root zone does not delegate example.net. Expected a delegation to ns1.example.net and ns2.example.net. Register the domain if it is not registered, and set these name servers at your registrar.',
  ],
  [
    'one does not delegate',
    one(not('does-not-delegate')),
    'delegated',
    'wrong',
    `net, at b.nic.net 198.51.100.98, does not delegate example.net. Expected a delegation to ns1.example.net and ns2.example.net. ${WAIT}`,
  ],
  // names
  [
    'not delegated',
    both(not('does-not-delegate')),
    'names',
    'unknown',
    'The name servers are unknown, because no server delegates example.net. Delegate the domain first.',
  ],
  [
    'other names',
    both({ nameservers: ['ns.other.org'], glue: {} }),
    'names',
    'wrong',
    'net names ns.other.org. Expected ns1.example.net and ns2.example.net and no others. Change the name servers at your registrar.',
  ],
  [
    'a name is missing',
    both({ nameservers: [NS1] }),
    'names',
    'wrong',
    'net names ns1.example.net. Expected ns1.example.net and ns2.example.net and no others. Change the name servers at your registrar.',
  ],
  [
    'a further name',
    one({ nameservers: [NS1, NS2, 'ns.other.org'] }),
    'names',
    'wrong',
    `net, at b.nic.net 198.51.100.98, names ns1.example.net, ns2.example.net and ns.other.org. Expected ns1.example.net and ns2.example.net and no others. ${WAIT}`,
  ],
  [
    'the name of a proof',
    { ...both({ nameservers: [NS1, NS2, 't.verify.x.net'] }), ownershipNames: ['t.verify.x.net'] },
    'names',
    'right',
    'The name servers are ns1.example.net, ns2.example.net and t.verify.x.net.',
  ],
  // glue
  [
    'no glue',
    both({ glue: {} }),
    'glue',
    'wrong',
    `net has no glue records for ns1.example.net and ns2.example.net. Expected ns1.example.net 192.0.2.1, ns1.example.net 2001:db8::1 and ns2.example.net 192.0.2.2. Add them ${REGISTRAR}`,
  ],
  [
    'no glue for one, at one server',
    one({ glue: { [NS1]: [V4[0]] } }),
    'glue',
    'wrong',
    `net, at b.nic.net 198.51.100.98, has no glue records for ns2.example.net. Expected ns1.example.net 192.0.2.1, ns1.example.net 2001:db8::1 and ns2.example.net 192.0.2.2. ${WAIT}`,
  ],
  [
    'other names',
    both({ nameservers: ['ns.other.org'], glue: {} }),
    'glue',
    'unknown',
    'The glue is unknown, because example.net is not delegated to all expected name servers. Set the name servers first.',
  ],
  [
    'names elsewhere',
    VANITY_ELSEWHERE,
    'glue',
    'right',
    'Glue records are not needed: no name server is below example.net.',
  ],
  // ipv4, ipv6
  [
    'no glue',
    both({ glue: {} }),
    'ipv4',
    'unknown',
    'The IPv4 glue is not complete. Add the missing glue records first.',
  ],
  [
    'another address',
    both({ glue: { ...RIGHT_GLUE, [NS2]: ['192.0.2.9'] } }),
    'ipv4',
    'wrong',
    `net has the IPv4 glue ns2.example.net 192.0.2.9. Expected ns2.example.net 192.0.2.2. Correct it ${REGISTRAR}`,
  ],
  [
    'a further address',
    one({ glue: { ...RIGHT_GLUE, [NS2]: [V4[1], '192.0.2.9'] } }),
    'ipv4',
    'wrong',
    `net, at b.nic.net 198.51.100.98, has the IPv4 glue ns2.example.net 192.0.2.2 and ns2.example.net 192.0.2.9. Expected ns2.example.net 192.0.2.2. ${WAIT}`,
  ],
  [
    'IPv6 alone',
    both({ glue: { ...RIGHT_GLUE, [NS1]: [V6] } }),
    'ipv4',
    'wrong',
    `net has no IPv4 glue for ns1.example.net. Expected ns1.example.net 192.0.2.1. Correct it ${REGISTRAR}`,
  ],
  [
    'IPv4 alone',
    both({ glue: { ...RIGHT_GLUE, [NS1]: [V4[0]] } }),
    'ipv6',
    'incomplete',
    `net has no IPv6 glue for ns1.example.net. Expected ns1.example.net 2001:db8::1. Resolvers use IPv4 meanwhile, so the name servers work. Add it ${REGISTRAR}`,
  ],
  [
    'IPv4 alone at one server',
    one({ glue: { ...RIGHT_GLUE, [NS1]: [V4[0]] } }),
    'ipv6',
    'incomplete',
    `net, at b.nic.net 198.51.100.98, has no IPv6 glue for ns1.example.net. Expected ns1.example.net 2001:db8::1. Resolvers use IPv4 meanwhile, so the name servers work. ${WAIT}`,
  ],
  [
    'IPv4 alone, and an address that we do not have',
    both({ glue: { [NS1]: [V4[0]], [NS2]: [V4[1], '2001:db8::9'] } }),
    'ipv6',
    'wrong',
    `net has the IPv6 glue ns2.example.net 2001:db8::9. Expected ns1.example.net 2001:db8::1. Correct it ${REGISTRAR}`,
  ],
  [
    'another IPv6 address',
    both({ glue: { ...RIGHT_GLUE, [NS1]: [V4[0], '2001:db8::9'] } }),
    'ipv6',
    'wrong',
    `net has the IPv6 glue ns1.example.net 2001:db8::9. Expected ns1.example.net 2001:db8::1. Correct it ${REGISTRAR}`,
  ],
  [
    'IPv6 that we do not have',
    both({ glue: { ...RIGHT_GLUE, [NS2]: [V4[1], '2001:db8::9'] } }),
    'ipv6',
    'wrong',
    `net has the IPv6 glue ns2.example.net 2001:db8::9. Expected no IPv6 glue. Remove it ${REGISTRAR}`,
  ],
  [
    'names elsewhere',
    VANITY_ELSEWHERE,
    'ipv6',
    'right',
    'Glue records are not needed: no name server is below example.net.',
  ],
  // authoritative
  [
    'no authority',
    { ours: [our('authoritative'), our('not-authoritative', { transport: 'tcp' })] },
    'authoritative',
    'wrong',
    'ns1.example.net 192.0.2.1 (TCP) answered REFUSED. Expected an answer for example.net with authority. Your registrar did not cause this. Check again in a few minutes. If the error remains, contact support.',
  ],
  [
    'no answer',
    { ours: [our('no-answer', { words: 'did not answer in time' })] },
    'authoritative',
    'wrong',
    'ns1.example.net 192.0.2.1 (UDP) did not answer in time. Expected an answer for example.net with authority. Your registrar did not cause this. Check again in a few minutes. If the error remains, contact support.',
  ],
  [
    'no IPv6 here',
    { ours: [our('authoritative'), our('no-route', { address: V6 })] },
    'authoritative',
    'right',
    'Our name servers answer for example.net with authority.',
  ],
  [
    'no route at all',
    { ours: [our('no-route')] },
    'authoritative',
    'unknown',
    'Our name servers cannot be reached from here. Expected an answer for example.net with authority. Check again in a few minutes.',
  ],
  // no-ds
  [
    'DS',
    both({ hasDs: true }),
    'no-ds',
    'wrong',
    'net has a DS record for example.net. Expected no DS record, because the zone is not signed: resolvers that validate DNSSEC refuse its answers. Switch off DNSSEC for the domain at your registrar.',
  ],
  [
    'DS at one',
    one({ hasDs: true }),
    'no-ds',
    'wrong',
    `net, at b.nic.net 198.51.100.98, has a DS record for example.net. Expected no DS record, because the zone is not signed: resolvers that validate DNSSEC refuse its answers. Switch off DNSSEC for the domain at your registrar. ${WAIT}`,
  ],
  [
    'no answer about DS',
    both({ hasDs: undefined }),
    'no-ds',
    'unknown',
    'No server of net answered whether it has a DS record. Check again in a few minutes.',
  ],
  [
    'not delegated',
    both(not('does-not-delegate')),
    'no-ds',
    'unknown',
    'It is unknown whether there is a DS record, because no server delegates example.net. Delegate the domain first.',
  ],
])('%s', (_what, found, name, state, message) => {
  const facts = delegationFacts({ ...RIGHT, ...found })
  const examined = facts.find(({ fact }) => fact === name)
  expect([examined?.state, examined?.message]).toEqual([state, message])
})
