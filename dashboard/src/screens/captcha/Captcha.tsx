import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { useEffect, useState } from 'react'
import { solveCaptcha } from '../../api/captcha.ts'
import type { CaptchaTerms } from '../../api/sign-in.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { type CaptchaAction, showWidget, type WidgetProvider } from './captcha-widget.ts'
import './captcha.css'

/** A solution is valid for ten minutes. After this time, the browser solves another challenge. */
const FRESH_MS = 9 * 60_000

interface CaptchaProps {
  readonly terms: CaptchaTerms
  readonly action: CaptchaAction
  /** A token for one call; undefined when the last token has expired. */
  readonly onToken: (token: string | undefined) => void
}

type Progress = 'working' | 'done' | { readonly failure: string }

const failureOf = (error: unknown): Progress => ({
  failure: error instanceof Error ? error.message : 'The CAPTCHA failed. Please try again.',
})

/** The service's own CAPTCHA. The browser computes for about a second; the user does nothing. */
function OwnCaptcha({ onToken }: Pick<CaptchaProps, 'onToken'>) {
  const [progress, setProgress] = useState<Progress>('working')
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const giveUp = new AbortController()
    setProgress('working')
    solveCaptcha(giveUp.signal).then(
      (token) => {
        setProgress('done')
        onToken(token)
      },
      (error: unknown) => {
        if (!giveUp.signal.aborted) setProgress(failureOf(error))
      },
    )
    return () => giveUp.abort()
  }, [attempt, onToken])

  useEffect(() => {
    if (progress !== 'done') return undefined
    const timer = setTimeout(() => {
      onToken(undefined)
      setAttempt((before) => before + 1)
    }, FRESH_MS)
    return () => clearTimeout(timer)
  }, [progress, onToken])

  if (typeof progress === 'object') {
    return (
      <div className="captcha" role="alert">
        <p>{progress.failure}</p>
        <Button variant="outlined" size="small" onClick={() => setAttempt(attempt + 1)}>
          Try again
        </Button>
      </div>
    )
  }
  return (
    <div className="captcha" role="status">
      {progress === 'done' ? (
        <p className="captcha-done">
          <Icon name="success" /> You are not a robot.
        </p>
      ) : (
        <>
          <p>Checking that you are not a robot…</p>
          <LinearProgress aria-label="Check in progress" />
        </>
      )}
    </div>
  )
}

/** The CAPTCHA of another provider. The provider's script renders it in an iframe. */
function Widget({ terms, action, onToken }: CaptchaProps) {
  const { provider, site_key: siteKey = '' } = terms
  const [place, setPlace] = useState<HTMLDivElement | null>(null)
  const [failure, setFailure] = useState<string>()

  useEffect(() => {
    if (place === null) return undefined
    return showWidget(provider as WidgetProvider, {
      place,
      action,
      siteKey,
      onToken,
      onFailure: setFailure,
    })
  }, [place, provider, action, siteKey, onToken])

  return (
    <div className="captcha">
      <div ref={setPlace} />
      {failure !== undefined && <p role="alert">{failure}</p>}
    </div>
  )
}

export function Captcha({ terms, action, onToken }: CaptchaProps) {
  return terms.provider === 'altcha' ? (
    <OwnCaptcha onToken={onToken} />
  ) : (
    <Widget terms={terms} action={action} onToken={onToken} />
  )
}
