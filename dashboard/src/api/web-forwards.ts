/** Web forwards: domains that lead visitors to another URL. */
import {
  type components,
  FORWARD_TEXT_LIMITS,
  IDEMPOTENCY_KEY_HEADER,
} from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { readMatching } from './domains.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export { FORWARD_TEXT_LIMITS }
export type WebForward = Schemas['WebForward']
export type SavedWebForward = Schemas['SavedWebForward']
export type NewWebForward = Schemas['NewWebForward']
export type WebForwardChange = Schemas['WebForwardChange']
export type WebForwardUsage = Schemas['WebForwardUsage']
export type TargetCheck = Schemas['TargetCheck']

/** What begins the keys of everything about forwards. */
export const FORWARDS_KEY = 'web-forwards'

/** The forwards of the account, by domain. */
export const forwardsQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [FORWARDS_KEY, 'list'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/webforward', { signal }))).data,
})

export const forwardUsageQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [FORWARDS_KEY, 'usage'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/webforward/usage', { signal }))).data,
})

/** The domains that can have a forward: all but wildcards, which use the forward of their base. */
export const forwardableQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [FORWARDS_KEY, 'domains'],
  queryFn: async () => (await readMatching('')).filter(({ is_wildcard }) => !is_wildcard),
})

/**
 * @param key of a `RepeatableChange`
 * @throws ApiProblem, NetworkFailure
 */
export async function createForward(body: NewWebForward, key: string): Promise<SavedWebForward> {
  const params = { header: { [IDEMPOTENCY_KEY_HEADER]: key } }
  return (await answerOf(api.POST('/api/webforward', { params, body }))).data
}

/**
 * Changes a forward if its version has not changed.
 *
 * @param seen the forward that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the forward; NetworkFailure
 */
export async function updateForward(
  seen: WebForward,
  change: WebForwardChange,
): Promise<SavedWebForward> {
  const { data } = await answerOf(
    api.PUT('/api/webforward/{id}', {
      params: { path: { id: seen.id } },
      headers: { 'If-Match': `"${seen.version}"` },
      body: change,
    }),
  )
  return data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteForward(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/webforward/{id}', { params: { path: { id } } }))
}

/** Examines a target without saving it. @throws ApiProblem, NetworkFailure */
export async function checkTarget(question: Schemas['TargetQuestion']): Promise<TargetCheck> {
  return (await answerOf(api.POST('/api/webforward/check', { body: question }))).data
}
