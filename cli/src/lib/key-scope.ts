/** The scope and the limits of a new key, from flags. */
import * as Flags from '@oclif/core/flags'
import type { components } from '@homing/openapi/client'
import {
  KEY_ACTIONS,
  type KeyAction,
  SCOPE_RECORD_TYPES,
  type ScopeRecordType,
} from '@homing/openapi/vocabulary'
import { usage } from './failure.ts'
import { printable } from './text.ts'
import { hasRealDay } from './times.ts'

type NewApiKey = components['schemas']['NewApiKey']

const several = { multiple: true, multipleNonGreedy: true, helpGroup: 'SCOPE' } as const
const SECONDS_IN = { h: 3_600, d: 86_400 } as const

export const scopeFlags = {
  domain: Flags.string({
    description:
      "a domain that it can access with the records at and below it, the owner name of records such as '_acme-challenge.home.example.net', or a pattern such as '*.example.net' or 'ci-*.example.net'",
    helpValue: 'DOMAIN',
    ...several,
  }),
  action: Flags.option({
    description: 'what it may do; update URLs need update',
    options: KEY_ACTIONS,
    ...several,
  })(),
  type: Flags.option({
    description: 'limit it to records of this type; can be repeated',
    options: SCOPE_RECORD_TYPES,
    ...several,
  })(),
  from: Flags.string({
    description: 'an address or network that it can be used from',
    helpValue: 'NETWORK',
    ...several,
  }),
}

export const limitFlags = {
  ...scopeFlags,
  expires: Flags.string({
    description: 'when it expires: a date, a time, or 12h or 30d from now',
    helpValue: 'WHEN',
    helpGroup: 'SCOPE',
  }),
  'unused-days': Flags.integer({
    description: 'it expires after this many days without use',
    helpValue: 'DAYS',
    min: 1,
    max: 365,
    helpGroup: 'SCOPE',
  }),
}

interface ScopeFlags {
  readonly domain?: string[] | undefined
  readonly action?: KeyAction[] | undefined
  readonly type?: ScopeRecordType[] | undefined
  readonly from?: string[] | undefined
}

interface LimitFlags extends ScopeFlags {
  readonly expires?: string | undefined
  readonly 'unused-days'?: number | undefined
}

/** A date, or a date with a time. */
const DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Milliseconds; NaN for a text that is not a date, or for a day that the calendar does not have. */
const dateMs = (text: string): number =>
  DATE.test(text) && hasRealDay(text) ? Date.parse(text) : Number.NaN

/** An instant: `30d` and `12h` count from now. @throws CommandFailure for a text that is neither this nor a date */
export function instantOf(text: string, now: number): string {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const at =
    count === undefined
      ? dateMs(text)
      : now + Number(count) * 1_000 * SECONDS_IN[unit === 'h' ? 'h' : 'd']
  if (Number.isNaN(at)) {
    throw usage(`--expires takes 30d, 12h or a date such as 2027-01-31, not "${printable(text)}".`)
  }
  return new Date(at).toISOString()
}

/** The scope from flags; empty without such flags. */
export function scopeOf({ domain, action, type, from }: ScopeFlags): Pick<NewApiKey, 'scope'> {
  const scope = {
    ...(domain && { domains: domain }),
    ...(action && { actions: action }),
    ...(type && { record_types: type }),
    ...(from && { networks: from }),
  }
  return Object.keys(scope).length > 0 ? { scope } : {}
}

type KeyScope = components['schemas']['KeyScope']

/** The flag of each limit of a scope. */
const LIMIT_FLAGS = {
  domains: 'domain',
  actions: 'action',
  record_types: 'type',
  networks: 'from',
} as const satisfies Record<keyof KeyScope, string>

const EVERYTHING: KeyScope = { domains: null, actions: null, record_types: null, networks: null }

/**
 * The whole scope after a change; undefined if nothing of it changes.
 *
 * @param given the limits to replace
 * @param removed the flags of the limits to remove
 */
export function changedScope(
  before: KeyScope = EVERYTHING,
  given: NewApiKey['scope'],
  removed: readonly string[],
): KeyScope | undefined {
  const names = Object.keys(LIMIT_FLAGS) as (keyof KeyScope)[]
  const without = names.filter((name) => removed.includes(LIMIT_FLAGS[name]))
  if (given === undefined && without.length === 0) return undefined
  const lifted = Object.fromEntries(without.map((name) => [name, null]))
  return { ...before, ...given, ...lifted }
}

/** The limits of a new key from flags; empty without such flags. */
export function limitsOf(flags: LimitFlags, now: number): Omit<NewApiKey, 'name'> {
  const { expires, 'unused-days': unusedDays } = flags
  return {
    ...scopeOf(flags),
    ...(expires !== undefined && { expires_at: instantOf(expires, now) }),
    ...(unusedDays !== undefined && { unused_days: unusedDays }),
  }
}
