/** The API that the screens of a test call, in place of the browser's `fetch`. */
import { MockApi } from '@homing/openapi/mock'

export { exampleOf, listed, ok, problem } from '@homing/openapi/mock'

export const mock = new MockApi()
// Before the screens' client is made, which keeps the `fetch` that it finds.
globalThis.fetch = mock.fetch
