/** The mock API, which replaces the browser's `fetch`. */
import { MockApi } from '@homing/openapi/mock'

export { exampleOf, listed, ok, problem } from '@homing/openapi/mock'

export const mock = new MockApi()
globalThis.fetch = mock.fetch
