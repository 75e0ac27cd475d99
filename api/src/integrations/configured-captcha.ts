/** Selects the CAPTCHA that this service requires. */
import type { Knex } from 'knex'
import type { ApiConfig } from '../config/api.ts'
import type { SecretKeys } from '../rules/derived-key.ts'
import type { Log } from '../process/log.ts'
import type { Captcha } from './captcha.ts'
import { ownCaptcha } from './captcha-altcha.ts'
import { providedCaptcha } from './captcha-provider.ts'
import type { OutgoingHttp } from './outgoing-http/outgoing-http.ts'

interface CaptchaOptions {
  readonly config: Pick<ApiConfig, 'captcha' | 'publicUrl' | keyof SecretKeys>
  readonly knex: Knex
  readonly log: Log
  readonly outgoing: OutgoingHttp
  /** The present time. */
  readonly now: () => Date
}

/** The CAPTCHA of the configuration; undefined when none is required. */
export function captchaOf(options: CaptchaOptions): Captcha | undefined {
  const { captcha, publicUrl } = options.config
  if (captcha.provider === 'none') return undefined
  if (captcha.provider === 'altcha') return ownCaptcha({ ...options, keys: options.config })
  return providedCaptcha({ ...options, ...captcha, hostname: publicUrl.hostname })
}
