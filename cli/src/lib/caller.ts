/** Calls the API as an account. */
import type { ApiClient } from './client.ts'
import { apiAt, type ApiOptions } from './api.ts'
import { type Account, loginCommand } from './credentials.ts'
import { CommandFailure } from './failure.ts'
import type { Asking } from './prompts.ts'
import { signInByPassword } from './sign-in.ts'
import { canConfirm, confirmIdentity } from './step-up.ts'

/** An account at a server, with a client that calls as this account. */
export interface Caller {
  readonly api: ApiClient
  readonly account: Account
  /** What `api` sends with each call, for calls that it cannot make. */
  readonly options: ApiOptions
}

/** Explains a 401 by where the credential came from, which the server cannot know. */
function notValid({ credentials, profile, source, server }: Account): string {
  const again = `Sign in again: ${loginCommand(profile)}`
  if (credentials.kind === 'session') return `Your session at ${server} has ended. ${again}`
  if (source !== 'HOMING_API_KEY') {
    return `The key of the profile ${profile} is not valid at ${server}. ${again}`
  }
  return credentials.kind === 'key' && credentials.token.startsWith('ut_')
    ? 'HOMING_API_KEY holds an update token, which works only with homing update.'
    : `The key in HOMING_API_KEY is not valid at ${server}.`
}

function explained(error: unknown, account: Account): unknown {
  if (!(error instanceof CommandFailure)) return error
  const { exitCode, problem } = error
  if (problem.code === 'unauthenticated' && account.credentials.kind !== 'password') {
    return new CommandFailure(exitCode, notValid(account), problem)
  }
  if (problem.code === 'forbidden' && account.source === 'HOMING_API_KEY') {
    const message = `${error.message} HOMING_API_KEY overrides a sign-in. Unset it to use the sign-in.`
    return new CommandFailure(exitCode, message, problem)
  }
  return error
}

/**
 * Calls with the account's credential: a key or a stored session directly, a user name and password
 * through a session that ends with the work.
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
  const options = { authorization: `Bearer ${token}`, trace: aids.trace }
  const api = await apiAt(server, options)
  try {
    return await work({ api, account, options })
  } catch (error) {
    if (credentials.kind !== 'session' || !canConfirm(error, aids.asking)) {
      throw explained(error, account)
    }
    // The service refused the call before it changed anything.
    const renewed = await confirmIdentity(account, token, aids)
    return await asCaller(
      { ...account, credentials: { kind: 'session', token: renewed } },
      aids,
      work,
    )
  } finally {
    // Best effort: the work is done, and an unused session expires.
    if (isPassword) await api.POST('/api/logout').catch(() => undefined)
  }
}
