/**
 * Every way a call can fail: the one table of problem codes.
 *
 * The api answers them as RFC 9457 problem documents; clients that know nothing
 * of those find the same words in `message`.
 */
import { Type, type Static } from 'typebox'
import { record } from './schema.ts'

export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request could not be read' },
  'link-invalid': { status: 400, title: 'The link is not valid' },
  'link-expired': { status: 400, title: 'The link has expired' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  'wrong-credentials': { status: 401, title: 'Wrong credentials' },
  'sign-in-expired': { status: 401, title: 'Begin to sign in again' },
  forbidden: { status: 403, title: 'Not allowed' },
  'key-scope': { status: 403, title: 'Not what this API key is for' },
  'cross-site': { status: 403, title: 'The request came from another site' },
  'email-not-verified': { status: 403, title: 'E-mail address not verified' },
  'step-up-required': { status: 403, title: 'Confirm that it is you' },
  'account-disabled': { status: 403, title: 'Account disabled' },
  'domain-locked': { status: 403, title: 'Domain locked' },
  'plan-required': { status: 403, title: 'Not in this plan' },
  'domain-limit': { status: 403, title: 'The plan is used up' },
  'key-limit': { status: 403, title: 'Too many keys' },
  'passkey-limit': { status: 403, title: 'Too many passkeys' },
  'not-found': { status: 404, title: 'Not found' },
  'no-update-token': { status: 404, title: 'No update token' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'name-taken': { status: 409, title: 'Name taken' },
  'name-reserved': { status: 409, title: 'Name reserved' },
  'username-taken': { status: 409, title: 'User name taken' },
  'update-token-exists': { status: 409, title: 'There is an update token' },
  'email-unconfirmed': { status: 409, title: 'Confirm the e-mail address' },
  conflict: { status: 409, title: 'Conflict' },
  'version-mismatch': { status: 412, title: 'Changed by somebody else' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'url-too-long': { status: 414, title: 'URL too long' },
  'unsupported-media-type': { status: 415, title: 'Unsupported content type' },
  'range-not-satisfiable': { status: 416, title: 'No such range' },
  'misdirected-request': { status: 421, title: 'Not a host of this service' },
  'validation-failed': { status: 422, title: 'Some fields are not right' },
  'name-not-allowed': { status: 422, title: 'Name not allowed' },
  'address-not-allowed': { status: 422, title: 'Address not allowed' },
  withheld: { status: 423, title: 'The name is withheld' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'header-too-large': { status: 431, title: 'Headers too large' },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Not available at the moment' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]

export const FieldError = record('FieldError', {
  field: Type.String({ description: 'Name of the field, header or parameter.' }),
  message: Type.String({ description: 'What was wrong and what is expected.' }),
})

export const Problem = record(
  'Problem',
  {
    type: Type.String({ description: 'A URI for this kind of problem.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'Written for the person who reads it.' }),
    code: Type.Enum(PROBLEM_CODES),
    message: Type.String({ description: 'The same text as `detail`.' }),
    errors: Type.Optional(
      Type.Array(Type.Unsafe<Static<typeof FieldError>>({ $ref: 'FieldError#' })),
    ),
    requestId: Type.String(),
  },
  'RFC 9457 problem document.',
)
export type Problem = Static<typeof Problem>
