import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { scramVerifier } from './scram-verifier.ts'

/** The exchange of RFC 7677 §3: user `user`, password `pencil`. */
const SALT = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
const AUTH_MESSAGE = [
  'n=user,r=rOprNGfwEbeRWgbNEkqO',
  'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
].join(',')
const CLIENT_PROOF = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ='
const SERVER_SIGNATURE = '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4='

const hmac = (key: Buffer) => createHmac('sha256', key).update(AUTH_MESSAGE).digest()

test('the keys are those of the exchange in RFC 7677', () => {
  const [, stored = '', server = ''] =
    /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$(.+):(.+)$/.exec(
      scramVerifier('pencil', SALT),
    ) ?? []
  const storedKey = Buffer.from(stored, 'base64')
  expect(hmac(Buffer.from(server, 'base64')).toString('base64')).toBe(SERVER_SIGNATURE)
  // RFC 5802 §3: ClientKey = ClientProof XOR ClientSignature, and StoredKey is its digest.
  const signature = hmac(storedKey)
  const clientKey = Buffer.from(CLIENT_PROOF, 'base64').map(
    (octet, at) => octet ^ (signature[at] ?? 0),
  )
  expect(createHash('sha256').update(clientKey).digest()).toEqual(storedKey)
})

test('each verifier has a different salt', () => {
  expect(scramVerifier('pencil')).not.toBe(scramVerifier('pencil'))
})

test.each(['', 'pâques', 'a\nb'])('%j is empty or requires SASLprep', (password) => {
  expect(() => scramVerifier(password)).toThrow(RangeError)
})
