/** Calls in somebody's name. */
import type { ApiClient } from '@homing/openapi/client'
import { apiAt, type ApiOptions } from './api.ts'
import { type Account, loginCommand } from './credentials.ts'
import { CommandFailure } from './failure.ts'
import type { Asking } from './prompts.ts'
import { signInByPassword } from './sign-in.ts'
import { canConfirm, confirmIdentity } from './step-up.ts'

/** Somebody at a server, with a client that calls in their name. */
export interface Caller {
  readonly api: ApiClient
  readonly account: Account
}

/** What a 401 means, by where the credential came from: the server cannot know that. */
function notValid({ credentials, profile, source, server }: Account): string {
  const again = `Sign in again: ${loginCommand(profile)}`
  if (credentials.kind === 'session') return `Your session at ${server} has ended. ${again}`
  if (source !== 'HOMING_API_KEY') {
    return `The key of the profile ${profile} is not valid at ${server}. ${again}`
  }
  return credentials.kind === 'key' && credentials.token.startsWith('ut_')
    ? 'HOMING_API_KEY holds an update token, which is for homing update alone.'
    : `The key in HOMING_API_KEY is not valid at ${server}.`
}

function explained(error: unknown, account: Account): unknown {
  if (!(error instanceof CommandFailure)) return error
  const { exitCode, problem } = error
  if (problem.code === 'unauthenticated' && account.credentials.kind !== 'password') {
    return new CommandFailure(exitCode, notValid(account), problem)
  }
  if (problem.code === 'forbidden' && account.source === 'HOMING_API_KEY') {
    const message = `${error.message} HOMING_API_KEY goes before a sign-in: unset it.`
    return new CommandFailure(exitCode, message, problem)
  }
  return error
}

/**
 * Calls with the account's right to: a key or a kept session as it is, a name and password as a
 * session that lasts as long as the work.
 *
 * @throws CommandFailure when the API refuses
 */
export async function asCaller<T>(
  account: Account,
  aids: { readonly trace: ApiOptions['trace']; readonly asking: Asking },
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { server, credentials } = account
  const isPassword = credentials.kind === 'password'
  const { token } = isPassword
    ? (await signInByPassword(server, credentials, aids)).kept
    : credentials
  const api = await apiAt(server, { authorization: `Bearer ${token}`, trace: aids.trace })
  try {
    return await work({ api, account })
  } catch (error) {
    if (credentials.kind !== 'session' || !canConfirm(error, aids.asking)) {
      throw explained(error, account)
    }
    // It was refused before anything was done.
    const renewed = await confirmIdentity(account, token, aids)
    return await asCaller(
      { ...account, credentials: { kind: 'session', token: renewed } },
      aids,
      work,
    )
  } finally {
    // Best effort: what was asked for is done, and a session that is not used ends by itself.
    if (isPassword) await api.POST('/api/logout').catch(() => undefined)
  }
}
