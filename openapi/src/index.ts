/**
 * The contract between the API and its callers.
 *
 * `operations` is the table: method, URL, request, response, problems, permitted
 * callers. The api implements it and validates with the same schemas;
 * `openapi.json` and the client's types are generated from it and committed.
 */
export { csvLine } from './csv.ts'
export { components, openapiDocument } from './document.ts'
export {
  acceptedQuery,
  type Access,
  type BodyOf,
  type EventsOf,
  keyActionsOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyBodyOf,
  type Slice,
} from './operation.ts'
export { operations, type Operations, type SliceName } from './operations/index.ts'
export { Problem } from './problem.ts'
export * from './schemas/index.ts'
export * from './vocabulary.ts'
