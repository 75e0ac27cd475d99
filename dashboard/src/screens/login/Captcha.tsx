import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import { useEffect, useState } from 'react'
import { solveCaptcha } from '../../api/captcha.ts'
import type { CaptchaTerms } from '../../api/sign-in.ts'
import { Icon } from '../../components/Icon.tsx'
import { showWidget, type WidgetProvider } from './captcha-widget.ts'

interface CaptchaProps {
  readonly terms: CaptchaTerms
  /** A token for one call; undefined when the last one is worth nothing any more. */
  readonly onToken: (token: string | undefined) => void
}

type Progress = 'working' | 'done' | { readonly failure: string }

const failureOf = (error: unknown): Progress => ({
  failure: error instanceof Error ? error.message : 'The check could not be made.',
})

/** The service's own: the browser works for a second, and nobody has to do anything. */
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
          <Icon name="success" /> You are no robot.
        </p>
      ) : (
        <>
          <p>Making sure that you are no robot…</p>
          <LinearProgress aria-label="Check under way" />
        </>
      )}
    </div>
  )
}

/** Somebody else's: their script draws it, in a frame of theirs. */
function Widget({ terms, onToken }: CaptchaProps) {
  const { provider, site_key: siteKey = '' } = terms
  const [place, setPlace] = useState<HTMLDivElement | null>(null)
  const [failure, setFailure] = useState<string>()

  useEffect(() => {
    if (place === null) return undefined
    return showWidget(provider as WidgetProvider, {
      place,
      siteKey,
      onToken,
      onFailure: setFailure,
    })
  }, [place, provider, siteKey, onToken])

  return (
    <div className="captcha">
      <div ref={setPlace} />
      {failure !== undefined && <p role="alert">{failure}</p>}
    </div>
  )
}

export function Captcha({ terms, onToken }: CaptchaProps) {
  return terms.provider === 'altcha' ? (
    <OwnCaptcha onToken={onToken} />
  ) : (
    <Widget terms={terms} onToken={onToken} />
  )
}
