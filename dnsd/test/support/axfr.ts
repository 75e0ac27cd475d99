/* A small zone, requests for the whole of it, and rules that allow them. */
import type { TransferRule } from '../../src/settings/settings.ts'
import { requestOctets } from './request-octets.ts'
import { keyNamed } from './signed.ts'
import { zoneFromText } from './zone-text.ts'

export const CLIENT = '192.0.2.53'
export const key = keyNamed('transfer-key')
export const NOW = Math.floor(Date.now() / 1000)

/** Allows every address of the client's network. */
export const toNetwork: TransferRule = {
  zones: 'every',
  allow: [{ key: undefined, networks: [{ address: '192.0.2.0', prefixBits: 24 }] }],
  notify: [],
}
export const toKey: TransferRule = {
  zones: 'every',
  allow: [{ key, networks: undefined }],
  notify: [],
}

export const small = () =>
  zoneFromText('home.test.', '@ 60 NS ns1\n@ 60 NS ns2\nAlice 60 A 192.0.2.1\nbob 60 TXT hello')

export const axfr = (name = 'home.test', options = {}) => requestOctets(name, 'AXFR', options)
