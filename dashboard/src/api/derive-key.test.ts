import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey as deriveByWebCrypto } from 'altcha-lib/algorithms/web/pbkdf2'
import { expect, test } from 'vitest'
import { deriveKey } from './derive-key.ts'

test('a challenge is solved as with the Web Crypto API', async () => {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 50,
    counter: 7,
    deriveKey: deriveByWebCrypto,
    hmacSignatureSecret: 'a secret of this test',
  })
  const solution = await solveChallenge({ challenge, deriveKey })
  expect(solution).toMatchObject({ counter: 7 })
  expect(solution?.derivedKey.startsWith(challenge.parameters.keyPrefix)).toBe(true)
})

test('a challenge with another algorithm is refused', async () => {
  const parameters = { algorithm: 'SHA-256', cost: 1, keyLength: 32, keyPrefix: '00' }
  const texts = { nonce: '00', salt: '00' }
  const derived = deriveKey({ ...parameters, ...texts }, new Uint8Array(), new Uint8Array())
  await expect(derived).rejects.toThrow('The CAPTCHA uses SHA-256. Expected: PBKDF2/SHA-256.')
})
