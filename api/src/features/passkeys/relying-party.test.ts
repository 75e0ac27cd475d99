import { expect, test } from 'vitest'
import { hindrance, relyingParty } from './relying-party.ts'

test.each([
  ['https://dns.example.net', 'dns.example.net', 'https://dns.example.net'],
  ['https://DNS.example.net:8443', 'dns.example.net', 'https://dns.example.net:8443'],
  ['http://localhost:8080', 'localhost', 'http://localhost:8080'],
  ['https://bücher.example', 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
])('%s', (url, id, origin) => {
  const publicUrl = new URL(url)
  expect(relyingParty({ publicUrl, productName: 'Homing' })).toEqual({ id, origin, name: 'Homing' })
  expect(hindrance({ publicUrl })).toBeUndefined()
})

test.each([
  ['http://dns.example.net', 'HTTPS'],
  ['http://localhost.example.net', 'HTTPS'],
  ['https://192.0.2.1', 'a host name'],
  ['http://127.0.0.1:8080', 'a host name'],
  ['https://[2001:db8::1]:8443', 'a host name'],
])('no passkey is made at %s', (url, wanted) => {
  expect(hindrance({ publicUrl: new URL(url) })).toContain(`Passkeys require ${wanted}`)
})
