/** The API that the back office of a test calls, in place of the browser's `fetch`. */
import { MockApi } from '@homing/openapi/mock'

export { exampleOf, listed, ok, problem } from '@homing/openapi/mock'

export const mock = new MockApi()
globalThis.fetch = mock.fetch
