import { authenticateKey } from '../../credentials/api-key.ts'
import { authenticatePassword } from '../../credentials/password.ts'
import type { Services } from '../../services.ts'
import type { Credentials } from './authorization.ts'
import type { Verification } from './updater.ts'

/** Whose credentials they are: an account's name (or e-mail address) and password, or an API key. */
export async function verifyCredentials(
  services: Services,
  credentials: Credentials,
  ip: string,
  afresh: boolean,
): Promise<Verification> {
  if (credentials.kind === 'password') {
    const { username, password } = credentials
    return authenticatePassword(services, { username, password, ip }, { afresh })
  }
  const verdict = await authenticateKey(services, credentials.key)
  if (verdict.kind === 'key') {
    return { kind: 'key', keyId: verdict.keyId, userId: verdict.account.id }
  }
  return { kind: verdict.kind === 'blocked' ? 'blocked' : 'wrong' }
}
