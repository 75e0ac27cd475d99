/**
 * Turnstile and hCaptcha: the service sends the token of the provider's widget to the provider, which says
 * whether it is a solution, once per token. Both use the same small protocol: a form to `siteverify`, answered
 * with a JSON object.
 */
import { Refusal } from '../rules/errors.ts'
import type { Log } from '../process/log.ts'
import type { Captcha, CaptchaAction } from './captcha.ts'
import type { OutgoingHttp } from './outgoing-http/outgoing-http.ts'

const RETRY_AFTER_SECONDS = 30
/** Errors of the configuration: no user can solve them. */
const OPERATOR_FAULT = /^(?:missing|invalid)-input-secret$|^sitekey-secret-mismatch$/

export interface ProviderSettings {
  readonly provider: 'turnstile' | 'hcaptcha'
  readonly siteKey: string
  readonly secret: string
  readonly verifyUrl: URL
}

export interface ProvidedCaptchaOptions extends ProviderSettings {
  /** The host that must have shown the widget. */
  readonly hostname: string
  readonly log: Log
  readonly outgoing: OutgoingHttp
}

interface Verdict {
  readonly success: boolean
  readonly hostname?: string
  readonly action?: string
  readonly 'error-codes'?: readonly string[]
}

const unavailable = () =>
  new Refusal(
    'unavailable',
    'The service cannot check the CAPTCHA at the moment. Please try again.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  )

/** Asks the provider. @throws Error when its response cannot be read or contains no verdict */
async function verdictOn(token: string, options: ProvidedCaptchaOptions): Promise<Verdict> {
  const { secret, siteKey: sitekey, verifyUrl, provider, outgoing } = options
  const form = { secret, response: token, ...(provider === 'hcaptcha' ? { sitekey } : {}) }
  const { status, body } = await outgoing.operator({
    url: verifyUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const verdict = JSON.parse(body.toString('utf8')) as Verdict | null
  if (typeof verdict?.success !== 'boolean')
    throw new Error(`the provider responded with status ${status} and without a result`)
  const faults = verdict['error-codes'] ?? []
  if (faults.some((fault) => OPERATOR_FAULT.test(fault))) throw new Error(faults.join(', '))
  return verdict
}

/** Turnstile names the action for which its widget was shown; hCaptcha has no actions. */
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
        log.error(
          { err: error, provider },
          'the CAPTCHA provider failed; CAPTCHAs cannot be checked',
        )
        throw unavailable()
      }
      return verdict.success && isFor(verdict, options, action)
    },
  }
}
