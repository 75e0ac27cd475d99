/** PBKDF2 in JavaScript, for pages where browsers do not offer the Web Crypto API. */
import type { DeriveKeyFunction } from 'altcha-lib'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** The algorithm of the service's challenges. */
const ALGORITHM = 'PBKDF2/SHA-256'

/** Derives one key of a CAPTCHA. @throws Error for another algorithm */
export const deriveKey: DeriveKeyFunction = async (parameters, salt, password) => {
  const { algorithm, cost, keyLength } = parameters
  if (algorithm !== ALGORITHM) {
    throw new Error(`The CAPTCHA uses ${algorithm}. Expected: ${ALGORITHM}. Reload the page.`)
  }
  return { derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) }
}
