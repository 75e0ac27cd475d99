/** Where walks may go, and how many run at once. */
import { expect, it } from 'vitest'
import { delegationChecksOf, walkRules } from './checks.ts'
import { IANA_ROOT } from '../rules/root-hints.ts'
import { EXPECTED, DOMAIN } from './test-tree.ts'
import { DelegationChecksBusy } from './types.ts'

const CONFIG = {
  rootServers: IANA_ROOT,
  allowsPrivateTargets: false,
  nameservers: [{ hostname: 'ns1.homing.test', ipv4: '10.0.0.53', ipv6: '2001:db8:0::53' }],
  dnsHosts: ['9.9.9.53'],
  dnsPort: 8053,
  host: '9.9.9.80',
  forwardHost: '9.9.9.81',
  forwardAddresses: ['9.9.9.82'],
}

it.each([
  ['8.8.8.8', undefined],
  ['2001:4860:4860::8888', undefined],
  // Our name servers, also in a private network: the parent zone of an own zone can be another own zone.
  ['10.0.0.53', undefined],
  ['2001:db8::53', undefined],
  ['10.0.0.54', 'has an address that is not public, so it was not asked'],
  ['127.0.0.1', 'has an address that is not public, so it was not asked'],
  ['169.254.169.254', 'has an address that is not public, so it was not asked'],
  ['::ffff:127.0.0.1', 'has an address that is not public, so it was not asked'],
  ['64:ff9b::a00:1', 'has an address that is not public, so it was not asked'],
  ['2a00:1450:4001:80b:0:5efe:a00:1', 'has an address that is not public, so it was not asked'],
  ...['9.9.9.53', '9.9.9.80', '9.9.9.81', '9.9.9.82'].map((address): [string, string] => [
    address,
    'has an address of this service, so it was not asked',
  ]),
])('asks %s: %s', (address, objection) => {
  expect(walkRules(CONFIG).objectionTo(address)).toBe(objection)
  expect(walkRules({ ...CONFIG, allowsPrivateTargets: true }).objectionTo(address)).toBeUndefined()
})

it('asks at port 53, and our own name servers on this machine where they listen', () => {
  const { portOf } = walkRules(CONFIG)
  expect(['8.8.8.8', '10.0.0.53'].map(portOf)).toEqual([53, 53])
  const here = { ...CONFIG, nameservers: [{ hostname: 'ns1.homing.test', ipv4: '127.0.0.1' }] }
  expect(walkRules(here).portOf('127.0.0.1')).toBe(8053)
  const roots = [{ hostname: '.', address: '127.0.0.2', port: 5353 }]
  const { portOf: portInTree } = walkRules({ ...here, rootServers: roots })
  expect(['127.0.0.1', '127.0.0.2', '127.0.0.3'].map(portInTree)).toEqual([8053, 5353, 5353])
})

it('runs 8 checks at once, lets 32 wait, and refuses more', async () => {
  const stop = new AbortController()
  let asked = 0
  const checks = delegationChecksOf(CONFIG, {
    ask: (_question, _servers, options) => {
      asked += 1
      return new Promise((_resolve, reject) => {
        const signal = options?.signal
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    },
    objectionTo: () => undefined,
    roots: [{ hostname: '.', address: '127.0.0.2', port: 53 }],
  })
  const check = () => checks.check({ domain: DOMAIN, nameservers: EXPECTED, signal: stop.signal })
  const running = Array.from({ length: 40 }, check)
  await expect(check()).rejects.toThrow(DelegationChecksBusy)
  // One query to the root, and four to our servers.
  await expect.poll(() => asked).toBe(8 * 5)
  stop.abort(new Error('the caller is gone'))
  const ended = await Promise.allSettled(running)
  expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 'rejected'))
  expect(asked).toBe(8 * 5)
  const again = checks.check({ domain: DOMAIN, nameservers: [], signal: AbortSignal.timeout(10) })
  await expect(again).rejects.toThrow('timeout')
  expect(asked).toBe(8 * 5 + 1)
})
