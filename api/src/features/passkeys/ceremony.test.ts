/** The steps of WebAuthn §7.1 and §7.2, with a software authenticator that makes one error at a time. */
import { createHash, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Authenticator, type Oddity } from '../../../test/support/authenticator.ts'
import { apiLoader } from '../../config/api.ts'
import { challengeOf, checkAssertion, checkAttestation, type NewCredential } from './ceremony.ts'

const ORIGIN = 'https://dns.example.net'
const config = apiLoader.load({ SECRET_KEY: 'x'.repeat(32), PUBLIC_URL: ORIGIN })
const services = { config, log: pino({ level: 'silent' }) }
const challenge = randomBytes(32).toString('base64url')
const rpId = 'dns.example.net'
const creation = { challenge, rp: { id: rpId }, user: { id: 'c29tZWJvZHk' } }
const request = { challenge, rpId }

/** The errors that invalidate both ceremonies. */
const WRONG: readonly (readonly [string, Oddity])[] = [
  ['a page of another name', { origin: 'https://dns.example.org' }],
  ['a page of a name below', { origin: `https://evil.${rpId}` }],
  ['the same name without TLS', { origin: `http://${rpId}` }],
  ['the same name at another port', { origin: `${ORIGIN}:8443` }],
  ['no origin', { origin: 'null' }],
  ['a signature for another name', { rpId: 'example.net' }],
  ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
  ['no challenge', { challenge: '' }],
  ['nobody who touched it', { isPresent: false }],
]

describe('an attestation', () => {
  test('has the key and the known facts about its authenticator', async () => {
    const aaguid = 'd548826e-79b4-db40-a3d8-11116f7e8349'
    const device = new Authenticator(ORIGIN, { isSynced: true, aaguid })
    expect(await checkAttestation(services, challenge, device.create(creation))).toEqual({
      id: Buffer.from(device.id, 'base64url').toString('hex'),
      publicKey: expect.stringMatching(/^a5[0-9a-f]+$/),
      signCount: 0,
      aaguid,
      isSynced: true,
      isBackedUp: true,
    })
  })

  test('from an authenticator without PIN is valid, too', async () => {
    const made = new Authenticator(ORIGIN).create(creation, { isVerified: false })
    expect(await checkAttestation(services, challenge, made)).toMatchObject({ signCount: 1 })
  })

  test.each([...WRONG, ['another ceremony', { type: 'webauthn.get' }]] as const)(
    'with %s is refused',
    async (_, odd: Oddity) => {
      const made = new Authenticator(ORIGIN).create(creation, odd)
      expect(await checkAttestation(services, challenge, made)).toBeUndefined()
    },
  )

  test.each([
    ['certificates', ['packed', new Map([['x5c', [new Uint8Array(64)]]])]],
    ['a format with certificates', ['apple', new Map([['x5c', [new Uint8Array(64)]]])]],
    ['a format of its own', ['sha1-of-hopes', new Map()]],
    ['a statement where there is none', ['none', new Map([['sig', new Uint8Array(8)]])]],
  ] as const)('that vouches by %s is refused', async (_, attestation) => {
    const odd = { attestation: attestation as unknown as NonNullable<Oddity['attestation']> }
    const made = new Authenticator(ORIGIN).create(creation, odd)
    expect(await checkAttestation(services, challenge, made)).toBeUndefined()
  })

  test.each([
    ['no CBOR', 'AAAA'],
    ['nothing but a text', Buffer.from('6161', 'hex').toString('base64url')],
    ['a map without end', Buffer.from(`bb${'ff'.repeat(8)}`, 'hex').toString('base64url')],
    ['lists in lists', Buffer.alloc(12_000, 0x81).toString('base64url')],
    ['a length that is a lie', Buffer.from('5b7fffffffffffffff00', 'hex').toString('base64url')],
  ])('that is %s is refused', async (_, attestationObject) => {
    const made = new Authenticator(ORIGIN).create(creation)
    const odd = { ...made, response: { ...made.response, attestationObject } }
    expect(await checkAttestation(services, challenge, odd)).toBeUndefined()
  })

  test('with cut or additional octets is refused', async () => {
    const made = new Authenticator(ORIGIN).create(creation)
    const whole = Buffer.from(made.response.attestationObject, 'base64url')
    for (const octets of [whole.subarray(0, -7), whole.subarray(0, 40), whole.subarray(5)]) {
      const response = { ...made.response, attestationObject: octets.toString('base64url') }
      expect(await checkAttestation(services, challenge, { ...made, response })).toBeUndefined()
    }
  })
})

describe('an assertion', () => {
  async function registered(device: Authenticator): Promise<NewCredential> {
    const made = await checkAttestation(services, challenge, device.create(creation))
    if (made === undefined) throw new Error('the authenticator in software is out of order')
    return made
  }
  /** As the database returns it: octets in the middle of a larger buffer. */
  const known = ({ id, publicKey, isSynced }: NewCredential) => ({
    credential_id: Buffer.from(id, 'hex'),
    public_key: Buffer.from(`ffffffff${publicKey}ffff`, 'hex').subarray(4, -2),
    is_synced: isSynced,
  })

  test('has the signature counter', async () => {
    const device = new Authenticator(ORIGIN)
    const row = known(await registered(device))
    const shown = await checkAssertion(services, challenge, device.get(request), row, true)
    expect(shown).toEqual({ signCount: 2, isBackedUp: false })
  })

  test.each([...WRONG, ['another ceremony', { type: 'webauthn.create' }]] as const)(
    'with %s is refused',
    async (_, odd: Oddity) => {
      const device = new Authenticator(ORIGIN)
      const row = known(await registered(device))
      const shown = device.get(request, odd)
      expect(await checkAssertion(services, challenge, shown, row, false)).toBeUndefined()
    },
  )

  test('requires a PIN or a finger only if it is the only factor', async () => {
    const device = new Authenticator(ORIGIN)
    const row = known(await registered(device))
    const shown = device.get(request, { isVerified: false })
    expect(await checkAssertion(services, challenge, shown, row, false)).toBeDefined()
    expect(await checkAssertion(services, challenge, shown, row, true)).toBeUndefined()
  })

  test('by another key, or changed after it was signed, is refused', async () => {
    const [device, other] = [new Authenticator(ORIGIN), new Authenticator(ORIGIN)]
    const row = known(await registered(device))
    const shown = device.get(request)
    const { response } = shown
    const authData = Buffer.from(response.authenticatorData, 'base64url')
    authData.writeUInt32BE(900, 33)
    for (const changed of [
      { ...response, signature: other.get(request).response.signature },
      { ...response, signature: createHash('sha256').digest('base64url') },
      { ...response, authenticatorData: authData.toString('base64url') },
      { ...response, authenticatorData: 'AAAA' },
    ]) {
      const forged = { ...shown, response: changed }
      expect(await checkAssertion(services, challenge, forged, row, false)).toBeUndefined()
    }
  })

  test('of a key that was bound to its device and now can be copied is refused', async () => {
    const device = new Authenticator(ORIGIN)
    const row = { ...known(await registered(device)), is_synced: true }
    const shown = device.get(request)
    expect(await checkAssertion(services, challenge, shown, row, false)).toBeUndefined()
  })
})

test.each([
  ['', undefined],
  ['AAAA', undefined],
  [Buffer.from('null').toString('base64url'), undefined],
  [Buffer.from('[]').toString('base64url'), undefined],
  [Buffer.from('{"challenge":7}').toString('base64url'), undefined],
  [Buffer.from('{"challenge":"x","crossOrigin":true}').toString('base64url'), undefined],
  [Buffer.from('{"challenge":"x"}').toString('base64url'), 'x'],
])('the challenge in %j', (clientData, expected) => {
  expect(challengeOf(clientData)).toBe(expected)
})
