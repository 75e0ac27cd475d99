/**
 * How often the api may be called, beside the limits that guard secrets and the update URLs'
 * own. These keep one caller from taking what belongs to all; nobody who uses the service as
 * it is meant should ever meet one, so each is several times of what that takes.
 */
import type { AllowanceRule } from './allowances.ts'

const perMinute = (count: number): AllowanceRule => ({ burst: count, refillMs: 60_000 / count })

export const CALL_LIMITS = {
  /**
   * Pages, files of the screens, documentation, health: a network's. They cost next to nothing. A
   * screen is some twenty files, which browsers keep; fifty people behind one address who all
   * open both screens for the first time in the same minute need 2,000.
   */
  light: perMinute(3_000),
  /**
   * Calls of the API that nobody has signed: a network's. Signing up or in takes a handful; an office
   * of a hundred people who sign in at nine o'clock needs 300. What guesses passwords or sends
   * mail is limited far below this.
   */
  unsigned: perMinute(600),
  /**
   * Calls whose credential was no good, or is not known to be good yet: a network's. Each costs a
   * look-up. A screen opens with six calls at once, a pipeline with one.
   */
  'failed-credentials': { burst: 120, refillMs: 1_000 },
  /**
   * All that one account calls, by sessions and keys together. The list of domains refreshed each second by
   * ten open windows, beside a script that reads 500 names one by one, needs 1,100.
   */
  account: perMinute(1_200),
  /** One API key: half of its account's, so that one runaway pipeline leaves the others and the person something. */
  'api-key': perMinute(600),
  /**
   * Calls of an account about one domain. Changes of its addresses are limited to ten and then one in ten seconds
   * anyway; this is for what reads, or changes nothing, over and over.
   */
  domain: perMinute(300),
} as const satisfies Readonly<Record<string, AllowanceRule>>

export type CallLimitName = keyof typeof CALL_LIMITS

/**
 * Calls of one network that are under way at the same time; a browser has six. More than these wait in
 * nobody's way: they are refused.
 */
export const AT_ONCE_LIMIT = 64
