/** Who makes the CAPTCHA. `none`: nobody is asked to solve one. */
export const CAPTCHA_PROVIDERS = ['none', 'altcha', 'turnstile', 'hcaptcha'] as const
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number]

/** Ways to show the second factor of an account. */
export const SECOND_FACTOR_METHODS = ['totp', 'recovery_code', 'passkey'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]
