/** The words of web forwards and their targets. */

/** How a web forward shows its target: it redirects the browser, or shows the target in a frame (stealth). */
export const FORWARDING_TYPES = ['redirect', 'stealth'] as const
export type ForwardingType = (typeof FORWARDING_TYPES)[number]

/** The statuses with which a web forward can redirect (RFC 9110 §15.4). */
export const FORWARD_STATUS_CODES = [301, 302, 307, 308] as const
export type ForwardStatusCode = (typeof FORWARD_STATUS_CODES)[number]

/** The limits of the texts of a web forward, in characters. */
export const FORWARD_TEXT_LIMITS = {
  target_url: 2_048,
  title: 120,
  description: 300,
  keywords: 300,
  disabled_reason: 500,
} as const

/** Why a stealth forward acts as a redirect. */
export const FORWARD_FALLBACKS = ['frames-refused', 'mixed-content', 'plan'] as const
export type ForwardFallback = (typeof FORWARD_FALLBACKS)[number]

/** What the check of a target found. `reachable`: the target answers. All others: it does not work. */
export const TARGET_FINDINGS = [
  'reachable',
  'leads-back',
  'private-address',
  'unknown-host',
  'no-answer',
  'tls',
  'too-many-redirects',
  'error-status',
  'invalid-answer',
] as const
export type TargetFinding = (typeof TARGET_FINDINGS)[number]

/** The largest number of redirects that the check of a target follows. */
export const TARGET_REDIRECT_LIMIT = 5

/** Sort fields of the list of all web forwards. */
export const ADMIN_FORWARD_SORT = ['id', 'fqdn', 'target_url', 'checked_at', 'created_at'] as const

/** Values of the filter `status` of all web forwards. `fallback`: stealth forwards that act as redirects. */
export const ADMIN_FORWARD_STATUS = ['active', 'paused', 'disabled', 'fallback'] as const

/**
 * How much of a target an administrator blocks: the host, the host with its subdomains, or the part of the host at and
 * below a path.
 */
export const BLOCKED_TARGET_SCOPES = ['host', 'subdomains', 'path'] as const
export type BlockedTargetScope = (typeof BLOCKED_TARGET_SCOPES)[number]

/** Sort fields of the list of blocked targets. */
export const BLOCKED_TARGET_SORT = ['id', 'host', 'blocked_at', 'forwards'] as const
