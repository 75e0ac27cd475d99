/**
 * The CAPTCHA that this service requires: a proof of work of its own, which depends on no third party, or that of a
 * provider. It makes mass registration and guessing expensive; the limits of `rate-limits.ts` bound them.
 */
import type { CaptchaChallenge, CaptchaTerms } from '@homing/openapi'

/** What a CAPTCHA was solved for. Providers that support actions must confirm it. */
export type CaptchaAction = 'register' | 'login'

export interface Captcha {
  /** The data that a page needs to show the CAPTCHA. */
  readonly terms: CaptchaTerms
  /** Creates a challenge; absent where the provider's script does this. */
  readonly newChallenge?: () => Promise<CaptchaChallenge>
  /**
   * Whether a token is a solution. A solution is single use.
   *
   * @throws Refusal `unavailable` when the provider cannot be asked: no token is accepted meanwhile
   */
  accepts(token: string, action: CaptchaAction): Promise<boolean>
}
