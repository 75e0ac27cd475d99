import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { exampleOf } from './mock.ts'

/** A challenge of the service's own CAPTCHA that is solved at once. */
export async function newChallenge() {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 3,
    deriveKey,
    hmacSignatureSecret: 'a secret of this test',
    hmacKeySignatureSecret: 'another secret',
    expiresAt: new Date('2100-01-01'),
  })
  return challenge as ReturnType<typeof exampleOf<'getCaptchaChallenge'>>
}
