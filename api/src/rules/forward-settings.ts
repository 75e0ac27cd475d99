/** The settings of a web forward: what a call says about them, what is stored, and which flag they use. */
import {
  FORWARD_TEXT_LIMITS,
  type ForwardFallback,
  type ForwardingType,
  type ForwardStatusCode,
} from '@homing/openapi/vocabulary'
import { invalid, Refusal } from './errors.ts'

/** The settings except the target, which `forward-target.ts` parses. */
export interface ForwardOptions {
  readonly forwarding_type: ForwardingType
  readonly status_code: ForwardStatusCode
  readonly title: string | null
  readonly description: string | null
  readonly keywords: string | null
  readonly forward_path: boolean
  readonly forward_query: boolean
  readonly is_active: boolean
}

const DEFAULTS: ForwardOptions = {
  forwarding_type: 'redirect',
  status_code: 301,
  title: null,
  description: null,
  keywords: null,
  forward_path: true,
  forward_query: true,
  is_active: true,
}

type TextField = 'title' | 'description' | 'keywords'

/** A text of the page, on one line; null when it is empty. @throws Refusal `validation-failed` */
function textOf(field: TextField, given: string | null): string | null {
  const text = (given ?? '').trim().normalize('NFC')
  if (/\p{Cc}/u.test(text)) {
    throw invalid({
      field,
      message: `${field} contains a line break or another control character. Write it on one line.`,
    })
  }
  // NFC can make a text longer than the schema allows.
  const limit = FORWARD_TEXT_LIMITS[field]
  if (Array.from(text).length > limit) {
    throw invalid({ field, message: `${field} is too long. Use at most ${limit} characters.` })
  }
  return text === '' ? null : text
}

/**
 * The settings after a call: given ones, and the former ones or the defaults for the others. Texts of the page are dropped
 * for a redirect, because forms send all their fields.
 *
 * @throws Refusal `validation-failed`
 */
export function optionsAfter(
  given: Partial<ForwardOptions>,
  former: ForwardOptions = DEFAULTS,
): ForwardOptions {
  const { forwarding_type = former.forwarding_type, status_code = former.status_code } = given
  const { forward_path = former.forward_path, forward_query = former.forward_query } = given
  const { is_active = former.is_active } = given
  const isStealth = forwarding_type === 'stealth'
  const text = (field: TextField) => {
    const value = given[field]
    const kept = value === undefined ? former[field] : textOf(field, value)
    return isStealth ? kept : null
  }
  return {
    forwarding_type,
    status_code,
    title: text('title'),
    description: text('description'),
    keywords: text('keywords'),
    forward_path,
    forward_query,
    is_active,
  }
}

/** What decides whether a forward uses a flag. */
export interface FlagUse {
  readonly forwarding_type: ForwardingType
  readonly fallback: ForwardFallback | null
}

/** Whether a forward uses a stealth flag of the plan: a stealth forward that acts as a redirect does not. */
export const usesStealthFlag = ({ forwarding_type, fallback }: FlagUse): boolean =>
  forwarding_type === 'stealth' && fallback === null

/** The stealth flags of a plan, and those in use. */
export interface StealthFlags {
  readonly limit: number
  /** Flags that other forwards of the account use. */
  readonly usedByOthers: number
}

/**
 * Refuses a forward for which the plan has no stealth flag.
 *
 * @throws Refusal `stealth-limit`
 */
export function requireFlag(forward: FlagUse, { limit, usedByOthers }: StealthFlags): void {
  if (!usesStealthFlag(forward) || usedByOthers < limit) return
  throw new Refusal(
    'stealth-limit',
    limit === 0
      ? 'Your plan does not include stealth forwards. Use a redirect, or choose a larger plan.'
      : `Your plan includes ${limit} stealth flags and ${usedByOthers} are in use. Use a redirect, change another stealth forward, or choose a larger plan.`,
  )
}

/**
 * The fallback of a stored stealth forward after a check of its target. The plan gives and takes flags elsewhere
 * (`feed/forward-flags.ts`), so a fallback for its sake stays until then.
 *
 * @param found what the check found; undefined: it could not find out, so nothing changes
 */
export function fallbackAfterCheck(
  former: ForwardFallback | null,
  found: ForwardFallback | null | undefined,
): ForwardFallback | null {
  if (found === undefined) return former
  return found ?? (former === 'plan' ? 'plan' : null)
}
