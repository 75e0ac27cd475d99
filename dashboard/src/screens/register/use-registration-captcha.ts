import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { captchaQuery } from '../../api/captcha.ts'
import type { CaptchaTerms } from '../../api/sign-in.ts'
import { useCaptcha } from '../captcha/use-captcha.ts'

/** `asked`: the user must solve it. `solving`: the browser solves it. */
type Progress = 'loading' | 'failed' | 'asked' | 'solving' | 'ready'

function progressOf(terms: CaptchaTerms | undefined, error: unknown, isSolved: boolean): Progress {
  if (terms === undefined) return error === null ? 'loading' : 'failed'
  if (terms.provider === 'none' || isSolved) return 'ready'
  return terms.provider === 'altcha' ? 'solving' : 'asked'
}

/** The CAPTCHA of a registration. The browser solves the service's own while the user fills in the form. */
export function useRegistrationCaptcha() {
  const { data: terms, error, refetch } = useQuery(captchaQuery)
  const captcha = useCaptcha()
  const { ask, token } = captcha
  useEffect(() => {
    if (terms !== undefined && terms.provider !== 'none') ask(terms)
  }, [terms, ask])
  return { ...captcha, error, refetch, progress: progressOf(terms, error, token !== undefined) }
}
