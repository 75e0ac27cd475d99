import Button from '@mui/material/Button'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signIn } from '../../api/account.ts'
import { type SessionEnd, useSession } from '../../api/session.ts'
import { ColorSchemeSwitch } from '../../components/ColorSchemeSwitch.tsx'
import { Field } from '../../components/Field.tsx'
import { Logo } from '../../components/Logo.tsx'
import { Message } from '../../components/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { PasswordField } from './PasswordField.tsx'
import { ResendVerification } from './ResendVerification.tsx'
import {
  captchaWanted,
  failureOf,
  incomplete,
  secondFactorWanted,
  type SignInFailure,
} from './sign-in-failure.ts'
import { useCountdown } from './use-countdown.ts'
import './login.css'

const ENDED: Readonly<Record<SessionEnd, string>> = {
  expired: 'Your session has ended. Sign in again and you are back where you were.',
  'logged-out': 'You are signed out.',
}

const ERROR_ID = 'sign-in-error'

function submitText(isBusy: boolean, waitSeconds: number): string {
  if (isBusy) return 'Signing in...'
  return waitSeconds > 0 ? `Try again in ${waitSeconds} s` : 'Sign In'
}

function SignInForm() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<SignInFailure>()
  const [isBusy, setBusy] = useState(false)
  const waitSeconds = useCountdown(failure?.waitSeconds ?? 0, failure)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  useEffect(() => usernameInput.current?.focus(), [])

  function fail(found: SignInFailure): void {
    setFailure(found)
    if (found.fields.length === 0) return
    // A name that was typed is kept, and the password is the likelier mistake.
    const isNameMissing = username.trim() === ''
    const input = isNameMissing ? usernameInput.current : passwordInput.current
    input?.focus()
    input?.select()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || waitSeconds > 0) return
    const missing = incomplete(username.trim(), password)
    if (missing) return fail(missing)
    setBusy(true)
    try {
      const outcome = await signIn({ usernameOrEmail: username.trim(), password })
      if (outcome !== 'done') fail(outcome === 'captcha' ? captchaWanted : secondFactorWanted)
    } catch (error) {
      fail(failureOf(error))
    } finally {
      setBusy(false)
    }
  }

  const errorIdOf = (field: 'username' | 'password') =>
    failure?.fields.includes(field) === true ? ERROR_ID : undefined
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {failure && (
        <Message tone="error" id={ERROR_ID}>
          <p>{failure.text}</p>
          {failure.canResend && <ResendVerification typed={username} />}
        </Message>
      )}
      <Field
        label="Username or email"
        name="username"
        autoComplete="username"
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
      <Button
        type="submit"
        variant="contained"
        size="large"
        fullWidth
        aria-disabled={isBusy || waitSeconds > 0}
      >
        {submitText(isBusy, waitSeconds)}
      </Button>
    </form>
  )
}

export function LoginScreen() {
  const { ended } = useSession()
  return (
    <div className="login">
      <header className="login-header">
        <Logo />
        <ColorSchemeSwitch />
      </header>
      <main tabIndex={-1}>
        <div className="card login-card">
          <ScreenTitle title="Sign in" takesFocus={false} />
          {ended && <Message tone="info">{ENDED[ended]}</Message>}
          <SignInForm />
        </div>
      </main>
    </div>
  )
}
