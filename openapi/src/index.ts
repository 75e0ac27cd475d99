/**
 * The contract between the API and everybody who calls it.
 *
 * `operations` is the table: method, URL, request, answer, problems, who may
 * call. The api implements it and validates with the same schemas;
 * `openapi.json` and the client's types are generated from it and committed.
 */
export { components, openapiDocument } from './document.ts'
export { KEY_ACTIONS, type KeyAction } from './key-actions.ts'
export {
  type Access,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyBodyOf,
  type Slice,
} from './operation.ts'
export { ADMIN_DOMAIN_SORT, ADMIN_DOMAIN_STATUS } from './operations/admin-domains.ts'
export { ADMIN_USER_SORT } from './operations/admin-users.ts'
export { LOCKED_NAME_SORT } from './operations/locked-names.ts'
export { operations, type Operations, type SliceName } from './operations/index.ts'
export { PLAN_ABILITIES } from './plan-terms.ts'
export { Problem, PROBLEM_CODES, PROBLEMS, type ProblemCode } from './problem.ts'
export * from './schemas/index.ts'
export { type SignInMethod } from './sign-in-methods.ts'
export { WITHHELD_REASONS } from './schemas/name-state.ts'
export {
  CAPTCHA_PROVIDERS,
  type CaptchaProvider,
  SECOND_FACTOR_METHODS,
  type SecondFactorMethod,
} from './sign-in-ways.ts'
export { UPDATE_HINTS, type UpdateHint } from './update-hints.ts'
