import Button from '@mui/material/Button'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import {
  type CaptchaTerms,
  PasskeyNotUsed,
  type SecondFactorWish,
  signIn,
  signInByPasskey,
} from '../../api/sign-in.ts'
import { Field } from '../../components/Field.tsx'
import { Message } from '../../components/Message.tsx'
import { Captcha } from './Captcha.tsx'
import { offersPasskeys, usePasskeyAutofill } from './passkey-offer.ts'
import { PasswordField } from './PasswordField.tsx'
import { ResendVerification } from './ResendVerification.tsx'
import { failureOf, incomplete, passkeyFailureOf, type SignInFailure } from './sign-in-failure.ts'
import { useCountdown } from './use-countdown.ts'

const ERROR_ID = 'sign-in-error'

interface FormState {
  readonly isBusy: boolean
  readonly waitSeconds: number
  readonly captcha: 'none' | 'open' | 'solved'
}

function submitText({ isBusy, waitSeconds, captcha }: FormState): string {
  if (isBusy) return 'Signing in...'
  if (waitSeconds > 0) return `Try again in ${waitSeconds} s`
  if (captcha === 'none') return 'Sign In'
  return captcha === 'open' ? 'Complete CAPTCHA' : 'Sign In with CAPTCHA'
}

/** A CAPTCHA that the service requires. `round` counts them, because each is valid for one call. */
function useCaptcha() {
  const [asked, setAsked] = useState<{ terms: CaptchaTerms; round: number }>()
  const [token, setToken] = useState<string>()
  const ask = useCallback((terms: CaptchaTerms) => {
    setToken(undefined)
    setAsked((before) => ({ terms, round: (before?.round ?? 0) + 1 }))
  }, [])
  const useUp = () => {
    if (asked) ask(asked.terms)
  }
  const standing = asked === undefined ? 'none' : token === undefined ? 'open' : 'solved'
  return { asked, token, setToken, ask, useUp, standing } as const
}

interface PasswordFormProps {
  /** Why the user has to enter the password again. */
  readonly initialFailure: SignInFailure | undefined
  readonly onSecondFactor: (wish: SecondFactorWish) => void
}

export function PasswordForm({ initialFailure, onSecondFactor }: PasswordFormProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState(initialFailure)
  const [isBusy, setBusy] = useState(false)
  const captcha = useCaptcha()
  const waitSeconds = useCountdown(failure?.waitSeconds ?? 0, failure)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const isHeld = isBusy || waitSeconds > 0 || captcha.standing === 'open'

  useEffect(() => usernameInput.current?.focus(), [])
  usePasskeyAutofill((error) => setFailure(passkeyFailureOf(error)))

  function fail(found: SignInFailure): void {
    setFailure(found)
    if (found.fields.length === 0) return
    // Keep a typed user name: the password is more likely to be wrong.
    const isNameMissing = username.trim() === ''
    const input = isNameMissing ? usernameInput.current : passwordInput.current
    input?.focus()
    input?.select()
  }

  async function attempt(way: () => Promise<void>, failureFrom = failureOf): Promise<void> {
    setBusy(true)
    try {
      await way()
    } catch (error) {
      if (!(error instanceof PasskeyNotUsed)) fail(failureFrom(error))
    } finally {
      setBusy(false)
    }
  }

  async function sendPassword(): Promise<void> {
    const captchaToken = captcha.token
    captcha.useUp()
    const outcome = await signIn({ usernameOrEmail: username.trim(), password, captchaToken })
    if (outcome.kind === 'captcha') {
      setFailure(undefined)
      captcha.ask(outcome.terms)
    } else if (outcome.kind === 'second-factor') onSecondFactor(outcome.wish)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isHeld) return
    const missing = incomplete(username.trim(), password)
    if (missing) fail(missing)
    else void attempt(sendPassword)
  }

  const errorIdOf = (field: 'username' | 'password') =>
    failure?.fields.includes(field) === true ? ERROR_ID : undefined
  return (
    <form noValidate onSubmit={submit}>
      {failure && (
        <Message tone="error" id={ERROR_ID}>
          <p>{failure.text}</p>
          {failure.canResend && <ResendVerification typed={username} />}
        </Message>
      )}
      <Field
        label="Username or email"
        name="username"
        autoComplete="username webauthn"
        value={username}
        inputRef={usernameInput}
        errorId={errorIdOf('username')}
        onChange={(event) => setUsername(event.target.value)}
        inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
      />
      <PasswordField
        value={password}
        onChange={setPassword}
        inputRef={passwordInput}
        errorId={errorIdOf('password')}
      />
      {captcha.asked && (
        <Captcha key={captcha.asked.round} terms={captcha.asked.terms} onToken={captcha.setToken} />
      )}
      <Button type="submit" variant="contained" size="large" fullWidth aria-disabled={isHeld}>
        {submitText({ isBusy, waitSeconds, captcha: captcha.standing })}
      </Button>
      {offersPasskeys() && (
        <Button
          variant="outlined"
          fullWidth
          onClick={() => void attempt(async () => signInByPasskey({}), passkeyFailureOf)}
        >
          Sign in with a passkey
        </Button>
      )}
    </form>
  )
}
