import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** PostgreSQL's own default. */
const ITERATIONS = 4096
const SALT_OCTETS = 16
const DIGEST_OCTETS = 32

/**
 * PostgreSQL's stored form of a password for SCRAM-SHA-256 (RFC 5802 §3, RFC 7677), in its own
 * notation: `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`. PostgreSQL stores it
 * unchanged when it gets it in place of a password. So the password itself is never in a statement,
 * which the server may log.
 *
 * @param password printable ASCII only, which SASLprep (RFC 4013) does not change
 * @throws RangeError for any other password
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_OCTETS)): string {
  if (!/^[\x20-\x7e]+$/.test(password)) throw new RangeError('the password is not printable ASCII')
  const salted = pbkdf2Sync(password, salt, ITERATIONS, DIGEST_OCTETS, 'sha256')
  const keyFor = (purpose: string) => createHmac('sha256', salted).update(purpose).digest()
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64')
  const serverKey = keyFor('Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
