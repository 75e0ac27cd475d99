/** API keys: secrets for pipelines, scripts and routers. */
import type { components } from '@homing/openapi/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export type ApiKey = Schemas['ApiKey']
export type KeyScope = Schemas['KeyScope']
export type NewApiKey = Schemas['NewApiKey']
export type ApiKeyChange = Schemas['ApiKeyChange']
export type KeyTest = Schemas['KeyTest']

/** A key with its secret, which the service shows once. */
export interface SecretKey {
  readonly apiKey: ApiKey
  readonly secret: string
}

/** The keys of the account. Without the ability of the plan, the service answers `plan-required`. */
export const apiKeysQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => {
    const query = { sort: JSON.stringify(['created_at', 'DESC']) }
    return (await answerOf(api.GET('/api/api-keys/', { params: { query }, signal }))).data
  },
})

/** The number of keys that a quick search shows. */
const FOUND_LIMIT = 5

/** The first keys whose name or prefix contains a text. The plan must include keys. */
export const foundKeysQuery = (search: string) =>
  queryOptions({
    queryKey: ['found-keys', search],
    async queryFn({ signal }) {
      const query = {
        sort: JSON.stringify(['name', 'ASC']),
        range: JSON.stringify([0, FOUND_LIMIT - 1]),
        filter: JSON.stringify({ q: search }),
      }
      return (await answerOf(api.GET('/api/api-keys/', { params: { query }, signal }))).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const withSecret = ({ key: secret, ...apiKey }: Schemas['CreatedApiKey']): SecretKey => ({
  apiKey,
  secret,
})

/** @throws ApiProblem, NetworkFailure */
export async function createApiKey(body: NewApiKey): Promise<SecretKey> {
  return withSecret((await answerOf(api.POST('/api/api-keys/', { body }))).data)
}

/**
 * Replaces the secret of a key.
 *
 * @param overlapHours how long the former secret keeps working
 * @throws ApiProblem, NetworkFailure
 */
export async function rotateApiKey(id: string, overlapHours: number): Promise<SecretKey> {
  const { data } = await answerOf(
    api.POST('/api/api-keys/{id}/rotate', {
      params: { path: { id } },
      body: { overlap_hours: overlapHours },
    }),
  )
  return withSecret(data)
}

/**
 * Changes a key if its version has not changed. The service asks for a confirmation of identity if the key can do more then.
 *
 * @param seen the key that the user saw
 * @throws ApiProblem `version-mismatch` when another client changed the key; NetworkFailure
 */
export async function updateApiKey(seen: ApiKey, change: ApiKeyChange): Promise<ApiKey> {
  const { data } = await answerOf(
    api.PUT('/api/api-keys/{id}', {
      params: { path: { id: seen.id } },
      headers: { 'If-Match': `"${seen.version}"` },
      body: change,
    }),
  )
  return data
}

/** @throws ApiProblem, NetworkFailure */
export async function deleteApiKey(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/api-keys/{id}', { params: { path: { id } } }))
}

/** The call to test. Absent fields are not tested. */
export interface KeyUse {
  readonly action: 'read' | 'update' | 'create' | 'delete'
  readonly domain?: string
  readonly record_type?: 'A' | 'AAAA'
  readonly ip?: string
}

/** @throws ApiProblem, NetworkFailure */
export async function testApiKey(id: string, use: KeyUse): Promise<KeyTest> {
  const { data } = await answerOf(
    api.GET('/api/api-keys/{id}/test', { params: { path: { id }, query: use } }),
  )
  return data
}
