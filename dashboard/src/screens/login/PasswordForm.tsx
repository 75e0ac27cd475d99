import Button from '@mui/material/Button'
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  PasskeyNotUsed,
  type SecondFactorWish,
  signIn,
  signInByPasskey,
} from '../../api/sign-in.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { RequestId } from '@homing/theme/parts/RequestId.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useLock } from '@homing/theme/parts/use-lock.ts'
import { useWritten } from '../../components/use-written.ts'
import { hashOf } from '../../routes.ts'
import { Captcha } from '../captcha/Captcha.tsx'
import { type CaptchaStanding, useCaptcha } from '../captcha/use-captcha.ts'
import { offersPasskeys, usePasskeyAutofill } from './passkey-offer.ts'
import { ResendVerification } from './ResendVerification.tsx'
import { failureOf, incomplete, passkeyFailureOf, type SignInFailure } from './sign-in-failure.ts'

const ERROR_ID = 'sign-in-error'

function submitText(captcha: CaptchaStanding): string {
  if (captcha === 'none') return 'Sign In'
  return captcha === 'open' ? 'Complete CAPTCHA' : 'Sign In with CAPTCHA'
}

interface PasswordFormProps {
  /** The user name of a sign-in that starts again. */
  readonly initialUsername?: string
  /** The user who must sign in again; undefined if anybody can sign in. */
  readonly fixedUsername?: string
  /** Why the user has to enter the password again. */
  readonly initialFailure: SignInFailure | undefined
  readonly onSecondFactor: (wish: SecondFactorWish, username: string) => void
}

export function PasswordForm({
  fixedUsername,
  initialUsername = '',
  initialFailure,
  onSecondFactor,
}: PasswordFormProps) {
  const isFixed = fixedUsername !== undefined
  const [username, setUsername] = useState(fixedUsername ?? initialUsername)
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState(initialFailure)
  const [isBusy, setBusy] = useState(false)
  const lock = useLock()
  const captcha = useCaptcha()
  const { waitSeconds, hold, labelOf } = useHold()
  const usernameInput = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const isHeld = isBusy || waitSeconds > 0 || captcha.standing === 'open'

  const isWritten = useWritten()

  // What the user typed, or the browser filled in, before React took over the form that the build wrote.
  useLayoutEffect(() => {
    if (usernameInput.current?.value) setUsername(usernameInput.current.value)
    if (passwordInput.current?.value) setPassword(passwordInput.current.value)
  }, [])

  useEffect(() => {
    // The user may already type a password.
    if (form.current?.contains(document.activeElement)) return
    const first = isFixed || initialUsername !== '' ? passwordInput : usernameInput
    first.current?.focus()
  }, [isFixed, initialUsername])
  const offerAgain = usePasskeyAutofill(!isFixed, (error) => setFailure(passkeyFailureOf(error)))

  function fail(found: SignInFailure): void {
    setFailure(found)
    hold(found.waitSeconds)
    if (found.fields.length === 0) return
    // Keep a typed user name: the password is more likely to be wrong.
    const isNameMissing = username.trim() === ''
    const input = isNameMissing ? usernameInput.current : passwordInput.current
    input?.focus()
    input?.select()
  }

  async function attempt(way: () => Promise<void>, failureFrom = failureOf): Promise<void> {
    await lock(async () => {
      setBusy(true)
      try {
        await way()
      } catch (error) {
        if (!(error instanceof PasskeyNotUsed)) fail(failureFrom(error))
      } finally {
        setBusy(false)
      }
    })
  }

  async function sendPassword(): Promise<void> {
    const captchaToken = captcha.token
    captcha.renew()
    const outcome = await signIn({ usernameOrEmail: username.trim(), password, captchaToken })
    if (outcome.kind === 'captcha') {
      setFailure(undefined)
      captcha.ask(outcome.terms)
    } else if (outcome.kind === 'second-factor') onSecondFactor(outcome.wish, username)
  }

  /** The prompt of the button ended the offer in the autofill list. */
  async function sendPasskey(): Promise<void> {
    await signInByPasskey({}).catch((error: unknown) => {
      offerAgain()
      throw error
    })
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
    <form ref={form} noValidate onSubmit={submit}>
      {failure && (
        <Message tone="error" id={ERROR_ID}>
          <p>{failure.text}</p>
          <RequestId id={failure.requestId} />
          {failure.canResend && <ResendVerification typed={username} />}
        </Message>
      )}
      <Field
        label="Username or email"
        name="username"
        autoComplete="username webauthn"
        value={username}
        readOnly={isFixed}
        inputRef={usernameInput}
        errorId={errorIdOf('username')}
        onChange={(event) => setUsername(event.target.value)}
        autoFocus={isWritten}
        inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
      />
      <PasswordField
        value={password}
        onChange={setPassword}
        inputRef={passwordInput}
        errorId={errorIdOf('password')}
      />
      {!isFixed && (
        <a className="card-page-aside" href={hashOf('forgot-password')}>
          Forgot Password
        </a>
      )}
      {captcha.asked && (
        <Captcha
          key={captcha.asked.round}
          terms={captcha.asked.terms}
          action="login"
          onToken={captcha.setToken}
        />
      )}
      <Button type="submit" variant="contained" size="large" fullWidth aria-disabled={isHeld}>
        {isBusy ? 'Signing in...' : labelOf(submitText(captcha.standing))}
      </Button>
      {(isWritten || offersPasskeys()) && (
        <Button
          className="passkey-button"
          variant="outlined"
          fullWidth
          onClick={() => void attempt(sendPasskey, passkeyFailureOf)}
        >
          Sign in with a passkey
        </Button>
      )}
    </form>
  )
}
