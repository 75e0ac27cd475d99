/** Registration, and what a visitor can ask about it. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'
import { forget, recall, remember } from './storage.ts'

export type NewAccount = components['schemas']['NewAccount']

const EMAIL_KEY = 'registered_email'
/** What the user typed for the account that waits for its verification, in this tab. */
const DRAFT_KEY = 'registered'

/** Creates an account, and remembers its address. @throws ApiProblem, NetworkFailure */
export async function register(account: NewAccount): Promise<void> {
  const { data } = await answerOf(api.POST('/api/register', { body: account }))
  remember('local', EMAIL_KEY, data.email)
}

/** The address of the last registration in this browser; undefined when there was none. */
export const registeredEmail = (): string | undefined => recall('local', EMAIL_KEY) ?? undefined

/** Keeps what was typed, as JSON, so that the user can correct it. The password is not part of it. */
export const rememberRegistered = (draft: string): void => remember('session', DRAFT_KEY, draft)

/** What was typed for the account that waits for its verification; undefined in another tab. */
export const registeredDraft = (): string | undefined => recall('session', DRAFT_KEY) ?? undefined

type Availability = 'available' | 'taken' | 'invalid' | 'unknown'

async function readAvailability(username: string, signal: AbortSignal): Promise<Availability> {
  const params = { path: { username } }
  const { data } = await answerOf(
    api.GET('/api/usernames/{username}/availability', { params, signal }),
  )
  if (data.available) return 'available'
  return data.reason === 'invalid' ? 'invalid' : 'taken'
}

/** Whether a user name is free. Any failure is `unknown`: registration decides. */
export const availabilityQuery = (username: string) =>
  queryOptions({
    queryKey: ['availability', username.toLowerCase()],
    queryFn: ({ signal }) =>
      readAvailability(username, signal).catch((): Availability => 'unknown'),
    staleTime: 30_000,
  })

const POLL_MS = 5_000

/** Whether the address of the account that this browser registered is verified; read again while the page is visible. */
export const registrationQuery = queryOptions({
  queryKey: ['registration'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/register/status', { signal }))).data.verified,
  staleTime: 0,
  gcTime: 0,
  // An outage is not shown: the next attempt can succeed.
  refetchInterval: ({ state }) => (state.data === true ? false : POLL_MS),
})

/** After the sign-in, nothing of the registration is needed here any more. */
export function forgetRegistration(): void {
  forget('local', EMAIL_KEY)
  forget('session', DRAFT_KEY)
}
