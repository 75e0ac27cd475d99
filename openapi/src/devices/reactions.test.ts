import { expect, test } from 'vitest'
import { reactionTo } from './reactions.ts'

test.each([
  ['ddclient/3.10.0', 'good 198.51.100.7', /^It logs a success\.$/],
  ['inadyn/2.12.0', 'badauth', /stops for good/],
  ['inadyn/2.12.0', 'abuse', /tries again after 10 minutes/],
  ['inadyn/2.12.0', 'notfqdn', /stops for good/],
  // Nothing was stored, and the router shows a success.
  ['OPNsense-dyndns', 'nohost', /for a success/],
  ['Fritz!Box DDNS/1.0.1', 'badauth', /^unknown$/],
])('%s shows after %j: %s', (agent, answer, expected) => {
  expect(reactionTo(agent, answer) ?? 'unknown').toMatch(expected)
})
