import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AutonomousSystems } from './autonomous-systems.ts'
import {
  lazyCountries,
  lazyNetworkOrigins,
  loadNetworkOrigins,
  type NetworkOrigins,
} from './network-origins.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-origins-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let shipped: NetworkOrigins
beforeAll(async () => {
  shipped = await loadNetworkOrigins({})
})

test('networks of both families have a country and an autonomous system', () => {
  expect(shipped.originOf('8.8.8.0/24')).toEqual({
    country: 'US',
    asn: 15_169,
    organisation: expect.stringMatching(/google/i),
  })
  expect(shipped.originOf('2001:4860:4860::/48')).toMatchObject({ country: 'US', asn: 15_169 })
  expect(shipped.originOf('193.0.6.0/24').country).toMatch(/^[A-Z]{2}$/)
})

test.each(['127.0.0.0/24', '10.0.0.0/24', '::1', '0.0.0.0', '255.255.255.255', 'nonsense', ''])(
  'unassigned: %s',
  (network) => {
    expect(shipped.originOf(network)).toEqual({ country: 'ZZ', asn: 0, organisation: '' })
  },
)

test('ranges hold their first and last address, and nothing beside them', async () => {
  const [ipv4, ipv6] = [join(folder, 'ipv4'), join(folder, 'ipv6')]
  const lower = 2n ** 64n
  writeFileSync(ipv4, '10,19,1,"One, ""Inc."""\n30,39,4200000000,Three\nnonsense\n')
  writeFileSync(ipv6, `${lower * 5n},${lower * 7n - 1n},6,Six\n`)
  const systems = await AutonomousSystems.read(ipv4, ipv6)
  const numbers = [9, 10, 19, 20, 29, 30, 39, 40].map((address) => systems.ofIpv4(address)?.asn)
  expect(numbers).toEqual([
    undefined,
    1,
    1,
    undefined,
    undefined,
    4_200_000_000,
    4_200_000_000,
    undefined,
  ])
  expect(systems.ofIpv4(12)?.organisation).toBe('One, "Inc."')
  const upper = [4n, 5n, 6n, 7n].map((address) => systems.ofIpv6(address)?.asn)
  expect(upper).toEqual([undefined, 6, 6, undefined])
})

test('a missing file fails each time it is read, and is read again later', async () => {
  const countryFile = join(folder, 'none.mmdb')
  const origins = lazyNetworkOrigins({ countryFile })
  await expect(origins()).rejects.toThrow(/ENOENT/)
  await expect(origins()).rejects.toThrow(/ENOENT/)
  const once = lazyNetworkOrigins({})
  expect(await once()).toBe(await once())
})

test('only countries: an unassigned address is unknown, and everything is without the file', async () => {
  const errors: unknown[] = []
  const countryOf = lazyCountries(undefined, (error) => errors.push(error))
  expect(await Promise.all(['8.8.8.8', '2001:4860:4860::8888'].map(countryOf))).toEqual([
    'US',
    'US',
  ])
  expect(await Promise.all(['127.0.0.1', '::1', 'nonsense', ''].map(countryOf))).toEqual(
    Array(4).fill(null),
  )
  expect(errors).toEqual([])
  const nothing = lazyCountries(join(folder, 'absent'), (error) => errors.push(error))
  expect(await nothing('8.8.8.8')).toBeNull()
  expect(await nothing('8.8.8.8')).toBeNull()
  expect(errors).toHaveLength(1)
})
