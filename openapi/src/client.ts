/** The typed client: every call of the web apps goes through it. The CLI has its own, with the same types, because `fetch` is expensive to load. */
import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch'
import type { EventsOf } from './operation.ts'
import type { stream } from './operations/stream.ts'
import type { components, paths } from './types.gen.ts'

export {
  Confirmation,
  type ConfirmationQuestion,
  type ConfirmationWays,
  confirmationWays,
  STEP_UP,
  typedCode,
  typedProof,
} from './confirmation.ts'
export { csvLine, csvRecords } from './csv.ts'
export {
  type BatchOperation,
  EXPORT_FIELDS,
  FileFault,
  type FileRow,
  operationOf,
  pastedRowsOf,
  rowsOf,
} from './domain-file.ts'
export {
  BATCH_LIMIT,
  DOMAIN_TEXT_LIMITS,
  FORWARD_TEXT_LIMITS,
  IDEMPOTENCY_KEY_HEADER,
  PLAN_ABILITIES,
  PLAN_BOUNDS,
  UNDO_DAYS,
  UNDOABLE_KINDS,
} from './vocabulary.ts'
export type { components, operations, paths } from './types.gen.ts'
export type ApiClient = Client<paths>

/** A client of the API at `baseUrl`. */
export function createApiClient(options: ClientOptions & { baseUrl: string }): ApiClient {
  return createFetchClient<paths>(options)
}

/** The live stream, for an `EventSource`: `openapi-fetch` reads whole responses only. */
export const STREAM_URL = '/api/stream' satisfies keyof paths

/** The data of each event of the live stream, by the name of the event. */
export type LiveEvents = EventsOf<(typeof stream)['followChanges']>

type Schemas = components['schemas']

/** Whether a sign-in response is a session, and not a request for a CAPTCHA or a second factor. */
export function isSignedIn(answer: Schemas['LoginAnswer']): answer is Schemas['SignedIn'] {
  return 'token' in answer
}
