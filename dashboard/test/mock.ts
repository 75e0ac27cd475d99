/** The mock API, which replaces the browser's `fetch`. */
import { MockApi } from '@homing/openapi/mock'

export { exampleOf, listed, ok, problem } from '@homing/openapi/mock'

export const mock = new MockApi()
// Before the API client is created, because it keeps the `fetch` that it finds.
globalThis.fetch = mock.fetch
