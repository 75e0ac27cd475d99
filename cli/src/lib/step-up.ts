/** Confirmation of identity. The service requires it before operations that somebody with a stolen session would try first. */
import { apiAt, type ApiOptions, bodyOf } from './api.ts'
import type { Account } from './credentials.ts'
import { CommandFailure } from './failure.ts'
import { readProfile, writeProfile } from './profiles.ts'
import { type Asking, askSecret, canAsk } from './prompts.ts'
import { askFactorCode } from './second-factor.ts'

interface Aids {
  readonly trace: ApiOptions['trace']
  readonly asking: Asking
}

/** Whether a call failed because it requires confirmation, and prompts are possible. */
export const canConfirm = (error: unknown, asking: Asking): boolean =>
  error instanceof CommandFailure && error.problem.code === 'step-up-required' && canAsk(asking)

const INSTEAD = 'sign in again with homing login'

/**
 * Asks for the password or a code, and stores the new token of the session, which replaces the old one.
 *
 * @returns the new token
 * @throws CommandFailure when the password or the code is wrong
 */
export async function confirmIdentity(
  { server, source }: Account,
  token: string,
  { trace, asking }: Aids,
): Promise<string> {
  const api = await apiAt(server, { authorization: `Bearer ${token}`, trace })
  const { is_on, methods } = bodyOf(await api.GET('/api/me/second-factors'), 'is_on', 'methods')
  const proof = is_on
    ? await askFactorCode(asking, methods, INSTEAD)
    : {
        password: await askSecret(asking, {
          message: 'Your password, once more',
          instead: INSTEAD,
        }),
      }
  const { token: renewed } = bodyOf(await api.POST('/api/me/confirm', { body: proof }), 'token')
  // The session comes from a profile. The old token in its file is no longer valid.
  const kept = readProfile(source)
  if (kept?.token === token) writeProfile(source, { ...kept, token: renewed })
  return renewed
}
