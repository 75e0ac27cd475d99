import { useCallback, useState } from 'react'
import type { CaptchaTerms } from '../../api/sign-in.ts'

export type CaptchaStanding = 'none' | 'open' | 'solved'

/** A CAPTCHA that the service requires. `round` counts them, because each is valid for one call. */
export function useCaptcha() {
  const [asked, setAsked] = useState<{ terms: CaptchaTerms; round: number }>()
  const [token, setToken] = useState<string>()
  const ask = useCallback((terms: CaptchaTerms) => {
    setToken(undefined)
    setAsked((before) => ({ terms, round: (before?.round ?? 0) + 1 }))
  }, [])
  const renew = () => {
    if (asked) ask(asked.terms)
  }
  const standing: CaptchaStanding =
    asked === undefined ? 'none' : token === undefined ? 'open' : 'solved'
  return { asked, token, setToken, ask, renew, standing } as const
}
