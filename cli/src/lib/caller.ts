/** Calls in somebody's name. */
import type { ApiClient } from '@homing/openapi/client'
import { apiAt, type ApiOptions, bodyOf } from './api.ts'
import { type Account, loginCommand } from './credentials.ts'
import { CommandFailure } from './failure.ts'

/** Somebody at a server, with a client that calls in their name. */
export interface Caller {
  readonly api: ApiClient
  readonly account: Account
}

/** What a 401 means, by where the credential came from: the server cannot know that. */
function explained(error: unknown, { credentials, profile, source, server }: Account): unknown {
  if (!(error instanceof CommandFailure)) return error
  const { exitCode, problem } = error
  const isKeyOfEnvironment = source === 'HOMING_API_KEY'
  if (problem.code === 'unauthenticated' && credentials.kind !== 'password') {
    const message =
      credentials.kind === 'session'
        ? `Your session at ${server} has ended. Sign in again: ${loginCommand(profile)}`
        : isKeyOfEnvironment
          ? `The key in HOMING_API_KEY is not valid at ${server}.`
          : `The key of the profile ${profile} is not valid at ${server}. Sign in again: ${loginCommand(profile)}`
    return new CommandFailure(exitCode, message, problem)
  }
  if (problem.code === 'forbidden' && isKeyOfEnvironment) {
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
  trace: ApiOptions['trace'],
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const { server, credentials } = account
  const isPassword = credentials.kind === 'password'
  const token = isPassword ? await beginSession(account, credentials, trace) : credentials.token
  const api = apiAt(server, { authorization: `Bearer ${token}`, trace })
  try {
    return await work({ api, account })
  } catch (error) {
    throw explained(error, account)
  } finally {
    // Best effort: what was asked for is done, and a session that is not used ends by itself.
    if (isPassword) await api.POST('/api/logout').catch(() => undefined)
  }
}

async function beginSession(
  { server }: Account,
  { username, password }: { readonly username: string; readonly password: string },
  trace: ApiOptions['trace'],
): Promise<string> {
  const answer = await apiAt(server, { trace }).POST('/api/login', {
    body: { username_or_email: username, password },
  })
  return bodyOf(answer).token
}
