/** The typed client: every call that cli and the web apps make goes through it. */
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { paths } from './types.gen.ts'

export type { components, operations, paths } from './types.gen.ts'
export type ApiClient = Client<paths>

/** A client of the API at `baseUrl`. */
export function createApiClient(options: ClientOptions & { baseUrl: string }): ApiClient {
  return createFetchClient<paths>(options)
}
