/**
 * Rate limits of API calls, in addition to the limits that guard secrets and the limits of the
 * update URLs. They prevent one caller from using up shared capacity. Normal use should never reach
 * one, so each is several times what normal use needs.
 */
import type { AllowanceRule } from './allowances.ts'

const perMinute = (count: number): AllowanceRule => ({ burst: count, refillMs: 60_000 / count })

export const CALL_LIMITS = {
  /**
   * Pages, files of the screens, documentation, health: for each network. They cost next to
   * nothing. A screen has some twenty files, which browsers cache; fifty people behind one address
   * who all open both screens for the first time in the same minute need 2,000.
   */
  light: perMinute(3_000),
  /**
   * Unauthenticated API calls: for each network. Signing up or in takes a handful; an office of a
   * hundred people who sign in at nine o'clock needs 300. Password attempts and mails have much lower
   * limits.
   */
  unsigned: perMinute(600),
  /**
   * Webhooks: for each network, which is that of a provider. It sends all events of the service, in bursts when it
   * repeats them after an outage.
   */
  webhooks: perMinute(18_000),
  /**
   * Calls with an invalid credential, or with one not yet known to be valid: for each network. Each
   * costs a look-up. A screen opens with six calls at once, a pipeline with one.
   */
  'failed-credentials': { burst: 120, refillMs: 1_000 },
  /**
   * All calls of one account, by sessions and keys together. Ten open windows that refresh the list of
   * domains each second, beside a script that reads 500 names one by one, need 1,100.
   */
  account: perMinute(1_200),
  /**
   * One API key: half of its account's limit, so that a runaway pipeline leaves capacity for the other keys and the
   * user.
   */
  'api-key': perMinute(600),
  /**
   * Calls of an account about one domain. Address changes have a lower limit: ten, and then one in ten seconds.
   * This limit stops clients that read, or send unchanged values, in a loop.
   */
  domain: perMinute(300),
} as const satisfies Readonly<Record<string, AllowanceRule>>

export type CallLimitName = keyof typeof CALL_LIMITS

/**
 * Concurrent calls of one network; a browser makes six. Calls beyond the limit are refused, not
 * queued.
 */
export const AT_ONCE_LIMIT = 64
