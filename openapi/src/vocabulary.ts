/**
 * The words that the contract, the business rules, the CLI and the screens share:
 * closed lists and their types. It imports nothing, so that anything can import it
 * without loading the contract.
 */

/** Every problem that a call can end with: its code, the status and the title of the problem document (RFC 9457). */
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

/** What an API key may be made for. Each operation that a key can reach names the one that it needs. */
export const KEY_ACTIONS = ['read', 'update', 'create', 'delete'] as const
export type KeyAction = (typeof KEY_ACTIONS)[number]

/** The types of records that a domain can hold an address in. */
export const RECORD_TYPES = ['A', 'AAAA'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** What a plan can allow besides names. */
export const PLAN_ABILITIES = [
  'api_keys',
  'wildcard',
  'analytics',
  'uptime',
  'web_forward',
  'vanity_ns',
  'data_export',
] as const
export type PlanAbility = (typeof PLAN_ABILITIES)[number]

/** What one account's names may be at most: what is withheld below a wildcard changes with it, in one change set. */
const NAMES_LIMIT = 10_000

/** The smallest and the largest value of each figure of a plan that can be changed; `ttl` in seconds, up to a week. */
export const PLAN_BOUNDS = {
  domain_limit: { minimum: 0, maximum: NAMES_LIMIT },
  ttl: { minimum: 1, maximum: 604_800 },
  stealth_flag_limit: { minimum: 0, maximum: NAMES_LIMIT },
} as const

/** Why a name is kept and not served. */
export const WITHHELD_REASONS = ['locked', 'paused', 'over_limit', 'owner_blocked'] as const

/** Sort fields of the list of all domains. */
export const ADMIN_DOMAIN_SORT = [
  'id',
  'fqdn',
  'rrtype',
  'ttl',
  'is_active',
  'last_update_at',
  'created_at',
] as const

/** What the filter `status` takes: served, not served for any reason, or not served for one. */
export const ADMIN_DOMAIN_STATUS = ['active', 'withheld', ...WITHHELD_REASONS] as const

/** Sort fields of the list of accounts. */
export const ADMIN_USER_SORT = [
  'id',
  'username',
  'email',
  'given_name',
  'surname',
  'account_type',
  'plan',
  'enabled',
  'domain_count',
  'created_at',
  'last_login',
] as const

/** Sort fields of the list of locked names. */
export const LOCKED_NAME_SORT = ['id', 'fqdn', 'locked_at'] as const

/** The ways to sign in, as the history of sign-ins names them. */
export const SIGN_IN_METHODS = [
  'password',
  'password_totp',
  'password_recovery_code',
  'password_passkey',
  'passkey',
  'update_password',
] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** Who makes the CAPTCHA. `none`: nobody is asked to solve one. */
export const CAPTCHA_PROVIDERS = ['none', 'altcha', 'turnstile', 'hcaptcha'] as const
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number]

/** Ways to show the second factor of an account. */
export const SECOND_FACTOR_METHODS = ['totp', 'recovery_code', 'passkey'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

/** What is worth telling the owner of a name about an update call, the most telling first. */
export const UPDATE_HINTS = [
  'account-password-in-url',
  'account-password-refused',
  'key-expired',
  'key-action',
  'key-network',
  'key-domain',
  'key-record-type',
  'two-urls-in-one',
  'template-not-filled',
  'name-appended-to-address',
  'prefix-sent-as-address',
  'related-name-not-reached',
  'wildcard-not-in-plan',
  'paid-parameter-ignored',
  'not-encrypted',
  'account-password',
] as const
export type UpdateHint = (typeof UPDATE_HINTS)[number]
