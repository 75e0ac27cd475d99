/**
 * The CAPTCHA that this service asks for: a proof of work of its own, which needs nobody else, or that of a provider.
 * It makes many accounts and many guesses dear; what bounds them are the limits of `rate-limits.ts`.
 */
import type { CaptchaChallenge, CaptchaTerms } from '@homing/openapi'

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
