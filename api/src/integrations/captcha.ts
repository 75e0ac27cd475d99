/**
 * The CAPTCHA that this service asks for: a proof of work of its own, which needs nobody else, or that of a provider.
 * It makes many accounts and many guesses dear; what bounds them are the limits of `rate-limits.ts`.
 */
import type { CaptchaChallenge, CaptchaTerms } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { ownCaptcha } from './captcha-altcha.ts'
import { providedCaptcha } from './captcha-provider.ts'

/** What a CAPTCHA was solved for. Providers that know actions are asked whether it was this one. */
export type CaptchaAction = 'register' | 'login'

export interface Captcha {
  /** What a page needs to show it. */
  readonly terms: CaptchaTerms
  /** Makes a challenge; absent where the provider's own script does. */
  readonly newChallenge?: () => Promise<CaptchaChallenge>
  /**
   * Whether a token is a solution. A solution counts once.
   *
   * @throws Refusal `unavailable` when the provider cannot be asked: nobody passes meanwhile
   */
  accepts(token: string, action: CaptchaAction): Promise<boolean>
}

export interface CaptchaOptions {
  readonly config: Pick<Config, 'captcha' | 'secretKey' | 'publicUrl'>
  readonly knex: Knex
  readonly log: Log
  /** The present time. */
  readonly now: () => Date
}

/** The CAPTCHA of the configuration; undefined when none is asked for. */
export function captchaOf(options: CaptchaOptions): Captcha | undefined {
  const { captcha, secretKey, publicUrl } = options.config
  if (captcha.provider === 'none') return undefined
  if (captcha.provider === 'altcha') return ownCaptcha({ ...options, secretKey })
  return providedCaptcha({ ...options, ...captcha, hostname: publicUrl.hostname })
}
