/**
 * Turnstile and hCaptcha: a token of the provider's widget is shown to the provider, which says whether it is a
 * solution, once for each token. Both speak the same small protocol: a form to `siteverify`, a JSON object back.
 */
import { Refusal } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import type { Captcha, CaptchaAction } from './captcha.ts'

const TIME_LIMIT_MS = 5_000
const ANSWER_LIMIT_CHARACTERS = 64 * 1024
const RETRY_AFTER_SECONDS = 30
/** Faults that are ours: no person can solve them. */
const OPERATOR_FAULT = /^(?:missing|invalid)-input-secret$|^sitekey-secret-mismatch$/

export interface ProviderSettings {
  readonly provider: 'turnstile' | 'hcaptcha'
  readonly siteKey: string
  readonly secret: string
  readonly verifyUrl: URL
}

export interface ProvidedCaptchaOptions extends ProviderSettings {
  /** Where the widget has to have been shown. */
  readonly hostname: string
  readonly log: Log
}

interface Verdict {
  readonly success: boolean
  readonly hostname?: string
  readonly action?: string
  readonly 'error-codes'?: readonly string[]
}

const unavailable = () =>
  new Refusal('unavailable', 'The CAPTCHA cannot be checked at the moment. Please try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** Asks the provider. @throws Error when it gives no answer that can be read */
async function verdictOn(token: string, options: ProvidedCaptchaOptions): Promise<Verdict> {
  const { secret, siteKey: sitekey, verifyUrl, provider } = options
  const form = { secret, response: token, ...(provider === 'hcaptcha' ? { sitekey } : {}) }
  const answer = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams(form),
    // The secret goes to the configured place and to no other.
    redirect: 'error',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  })
  const text = await answer.text()
  if (text.length > ANSWER_LIMIT_CHARACTERS) throw new Error('the answer is too long')
  const verdict = JSON.parse(text) as Verdict | null
  if (typeof verdict?.success !== 'boolean') throw new Error(`${answer.status} and no verdict`)
  const faults = verdict['error-codes'] ?? []
  if (faults.some((fault) => OPERATOR_FAULT.test(fault))) throw new Error(faults.join(', '))
  return verdict
}

/** Turnstile names the action that its widget was shown for; hCaptcha knows none. */
function isFor(verdict: Verdict, { provider, hostname }: ProvidedCaptchaOptions, action: string) {
  if (verdict.hostname !== hostname) return false
  return provider === 'hcaptcha' || verdict.action === action
}

/** The CAPTCHA of a provider. */
export function providedCaptcha(options: ProvidedCaptchaOptions): Captcha {
  const { provider, siteKey, log } = options
  return {
    terms: { provider, site_key: siteKey },
    async accepts(token: string, action: CaptchaAction) {
      let verdict: Verdict
      try {
        verdict = await verdictOn(token, options)
      } catch (error) {
        log.error({ err: error, provider }, 'CAPTCHAs cannot be checked')
        throw unavailable()
      }
      return verdict.success && isFor(verdict, options, action)
    },
  }
}
