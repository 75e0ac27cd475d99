/**
 * The words that the contract, the business rules, the CLI and the screens share:
 * closed lists and their types. It imports only words, so that anything can import it
 * without loading the contract.
 */

export * from './forward-words.ts'
export * from './history-words.ts'
export * from './monitor-words.ts'
export * from './payment-words.ts'
export * from './query-words.ts'
export * from './record-words.ts'

/** Every problem that a call can end with: its code, the status and the title of the problem document (RFC 9457). */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request could not be read' },
  'link-invalid': { status: 400, title: 'The link is not valid' },
  'webhook-refused': { status: 400, title: 'The event was refused' },
  'link-expired': { status: 400, title: 'The link has expired' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  'wrong-credentials': { status: 401, title: 'Invalid credentials' },
  'sign-in-expired': { status: 401, title: 'The sign-in has expired' },
  forbidden: { status: 403, title: 'Not allowed' },
  'key-scope': { status: 403, title: 'Outside the scope of this API key' },
  'cross-site': { status: 403, title: 'The request came from another site' },
  'email-not-verified': { status: 403, title: 'Email address not verified' },
  'step-up-required': { status: 403, title: 'Confirm your identity' },
  'account-disabled': { status: 403, title: 'Account disabled' },
  'domain-locked': { status: 403, title: 'Domain locked' },
  'forward-disabled': { status: 403, title: 'Web forward disabled' },
  'plan-required': { status: 403, title: 'Not included in this plan' },
  'domain-limit': { status: 403, title: 'Domain limit reached' },
  'key-limit': { status: 403, title: 'Key limit reached' },
  'record-limit': { status: 403, title: 'Record limit reached' },
  'zone-limit': { status: 403, title: 'Zone limit reached' },
  'stealth-limit': { status: 403, title: 'Stealth limit reached' },
  'passkey-limit': { status: 403, title: 'Passkey limit reached' },
  'not-found': { status: 404, title: 'Not found' },
  'no-update-token': { status: 404, title: 'No update token' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'name-taken': { status: 409, title: 'Domain already registered' },
  'name-reserved': { status: 409, title: 'Name reserved' },
  'record-exists': { status: 409, title: 'Record already exists' },
  'zone-not-active': { status: 409, title: 'The zone is not active' },
  'subscription-exists': { status: 409, title: 'The account already has a subscription' },
  'no-subscription': { status: 409, title: 'The account has no subscription' },
  'username-taken': { status: 409, title: 'Username taken' },
  'update-token-exists': { status: 409, title: 'The domain already has an update token' },
  'already-undone': { status: 409, title: 'The change was undone already' },
  'undo-refused': { status: 409, title: 'The change cannot be undone' },
  'restore-refused': { status: 409, title: 'The domain cannot be restored' },
  'email-unconfirmed': { status: 409, title: 'Email address not confirmed' },
  'already-verified': { status: 409, title: 'Email address already verified' },
  'request-in-progress': { status: 409, title: 'The first request is still in progress' },
  'secret-not-repeated': { status: 409, title: 'The secret was shown only once' },
  conflict: { status: 409, title: 'Conflict' },
  'version-mismatch': { status: 412, title: 'Version mismatch' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'url-too-long': { status: 414, title: 'URL too long' },
  'unsupported-media-type': { status: 415, title: 'Unsupported content type' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  'misdirected-request': { status: 421, title: 'Unknown host name' },
  'validation-failed': { status: 422, title: 'Some fields are invalid' },
  'name-not-allowed': { status: 422, title: 'Name not allowed' },
  'address-not-allowed': { status: 422, title: 'Address not allowed' },
  'record-not-allowed': { status: 422, title: 'Record not allowed' },
  'target-not-allowed': { status: 422, title: 'Target not allowed' },
  'batch-refused': { status: 422, title: 'Nothing was changed' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key already used' },
  withheld: { status: 423, title: 'The domain is withheld' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'header-too-large': { status: 431, title: 'Headers too large' },
  'internal-error': { status: 500, title: 'Internal server error' },
  'provider-unavailable': { status: 502, title: 'The payment provider does not respond' },
  'payments-unavailable': { status: 503, title: 'Payments are not available' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const

export type ProblemCode = keyof typeof PROBLEMS
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]

/** The version of the terms: the date of their last change. */
export const TERMS_VERSION = '2026-11-23'

/** Usernames. Upper and lower case are the same. */
export const USERNAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{1,30}[A-Za-z0-9]$'

/** The actions that the scope of an API key can allow. Each operation that a key can call names the action that it requires. */
export const KEY_ACTIONS = ['read', 'update', 'create', 'delete'] as const
export type KeyAction = (typeof KEY_ACTIONS)[number]

/** What administrators can be permitted to do. Each administrative operation names the permission that it requires. */
export const PERMISSIONS = ['administration'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The header that makes a repeated call safe, and its form: visible ASCII characters. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$'
/** The header of a response that was stored when the call was made first. */
export const REPLAYED_HEADER = 'Idempotency-Replayed'

/** The maximum number of operations in a batch of domains. */
export const BATCH_LIMIT = 500

/** The state of a domain in an export. */
export const EXPORT_STATES = ['active', 'no-address', 'withheld'] as const

/** The record types of domains. */
export const RECORD_TYPES = ['A', 'AAAA'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

/** Features that a plan can include. */
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

/** The maximum number of domains of an account: a change set can contain the withheld domains below a wildcard. */
const NAMES_LIMIT = 10_000

/** The minimum and maximum of each number of a plan that can be changed; `ttl` in seconds, up to a week. */
export const PLAN_BOUNDS = {
  domain_limit: { minimum: 0, maximum: NAMES_LIMIT },
  ttl: { minimum: 1, maximum: 604_800 },
  stealth_flag_limit: { minimum: 0, maximum: NAMES_LIMIT },
  monitor_interval: { minimum: 10, maximum: 3_600 },
  record_limit: { minimum: 0, maximum: NAMES_LIMIT },
} as const

/** The reasons why a domain is withheld: kept, but not served. */
export const WITHHELD_REASONS = ['locked', 'paused', 'over_limit', 'owner_blocked'] as const

/** Values of the filter `status` of an owner's domains. `active`: served with an address. `withheld`: for any reason. */
export const DOMAIN_STATUS = ['active', 'no_address', 'withheld', ...WITHHELD_REASONS] as const

/** The limits of what owners write about their domains, in characters. */
export const DOMAIN_TEXT_LIMITS = { note: 200, tags: 10, tag: 32 } as const

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

/** Values of the filter `status`: served, withheld for any reason, or withheld for a particular reason. */
export const ADMIN_DOMAIN_STATUS = ['active', 'withheld', ...WITHHELD_REASONS] as const

/**
 * Values of the filter `status` of accounts. `active`: it can sign in, and its domains are served. `suspended`: an
 * administrator took its access away. `disabled`: it has access, but the plan `disabled`.
 */
export const ADMIN_USER_STATUS = ['active', 'suspended', 'disabled'] as const

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

/** The methods of signing in, as the sign-in history names them. */
export const SIGN_IN_METHODS = [
  'password',
  'password_totp',
  'password_recovery_code',
  'password_passkey',
  'passkey',
  'update_password',
] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** The CAPTCHA provider. `none`: no CAPTCHA is required. */
export const CAPTCHA_PROVIDERS = ['none', 'altcha', 'turnstile', 'hcaptcha'] as const
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number]

/** The kinds of second factors. */
export const SECOND_FACTOR_METHODS = ['totp', 'recovery_code', 'passkey'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

/** What an account is notified of on its screens, the most important first. */
export const NOTICE_KINDS = [
  'payment-failed',
  'recovery-code-used',
  'failed-sign-ins',
  'recovery-codes-few',
  'domains-locked',
  'zones-broken',
  'zones-withheld',
  'domains-over-limit',
  'updates-refused',
  'updates-late',
  'family-not-updated',
  'domains-silent',
  'keys-not-in-plan',
  'subscription-ending',
  'card-expiring',
  'keys-expiring',
  'email-change',
  'domain-limit',
  'terms-changed',
  'first-steps',
  'free-plan',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** `error`: something does not work. `warning`: something needs attention. `info`: it is good to know. */
export const NOTICE_SEVERITIES = ['error', 'warning', 'info'] as const
export type NoticeSeverity = (typeof NOTICE_SEVERITIES)[number]

/** Hints about an update call for the owner of the domain, the most important first. */
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
  'forwarded',
  'not-encrypted',
  'account-password',
] as const
export type UpdateHint = (typeof UPDATE_HINTS)[number]

/** Why the service ends a live stream. */
export const STREAM_ENDS = ['session-ended', 'replaced', 'stopping', 'unavailable'] as const
export type StreamEndReason = (typeof STREAM_ENDS)[number]

/**
 * The paths of the dashboard's screens, as Fastify writes them. The service answers each with the app, which replaces
 * the path by the fragment of the screen.
 */
export const SCREEN_PATHS = [
  '/login',
  '/register',
  '/registration-success',
  '/resend-verification',
  '/verify-email',
  '/verify-email/:token',
  '/forgot-password',
  '/reset-password',
  '/reset-password/:token',
  '/confirm-email/:token',
  '/dashboard',
  '/domain/:fqdn',
  '/deleted-domains',
  '/webforward',
  '/analytics',
  '/zones',
  '/vanity-nameservers',
  '/payment',
  '/payment-success',
  '/payment-cancelled',
  '/invoice/:id',
  '/settings',
  '/settings/:section',
] as const
