import Button from '@mui/material/Button'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  PasskeyNotUsed,
  type SecondFactorWish,
  showSecondFactor,
  signInByPasskey,
} from '../../api/sign-in.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { RequestId } from '@homing/theme/parts/RequestId.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useLock } from '@homing/theme/parts/use-lock.ts'
import { offersPasskeys } from './passkey-offer.ts'
import { type CodeWay, firstWay, otherCodes } from './second-factor-ways.ts'
import { codeFailureOf, type SignInFailure } from './sign-in-failure.ts'
import './login.css'

const ERROR_ID = 'second-factor-error'
const DIGITS = 6

const OTHER_CODES: Readonly<Record<CodeWay, string>> = {
  totp: 'Use your authenticator app',
  recovery_code: 'Use a recovery code',
}

/** A password reset revoked the passkeys, and all recovery codes are used. */
const NO_METHOD =
  'Your account requires a second factor, but none of your factors can be used any longer. Ask the provider of this service to reset them.'

const onlyDigits = (text: string) => text.replaceAll(/\D/g, '').slice(0, DIGITS)

interface SecondFactorFormProps {
  readonly wish: SecondFactorWish
  /** Goes back to the password: the sign-in has expired, or the user wants to start again. */
  readonly onStartAgain: (why: SignInFailure | undefined) => void
}

/** The second step: an authenticator code, which submits itself, a recovery code, or a passkey. */
export function SecondFactorForm({ wish, onStartAgain }: SecondFactorFormProps) {
  const { methods } = wish
  const [asksFor, setAsksFor] = useState(() => firstWay(methods, offersPasskeys()))
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<SignInFailure>()
  const [isBusy, setBusy] = useState(false)
  const lock = useLock()
  // The rate limit applies to one kind of code. The other and passkeys have their own limits.
  const holds = { totp: useHold(), recovery_code: useHold() }
  const input = useRef<HTMLInputElement>(null)
  const passkeyButton = useRef<HTMLButtonElement>(null)
  const isTotp = asksFor === 'totp'
  const { waitSeconds, hold, labelOf } = isTotp ? holds.totp : holds.recovery_code

  useEffect(() => (input.current ?? passkeyButton.current)?.focus(), [asksFor])

  function fail(error: unknown): void {
    if (error instanceof PasskeyNotUsed) return
    const found = codeFailureOf(error)
    if (found.startsAgain) {
      onStartAgain(found)
      return
    }
    setFailure(found)
    hold(found.waitSeconds)
    setCode('')
    input.current?.focus()
  }

  async function attempt(way: () => Promise<void>): Promise<void> {
    await lock(async () => {
      setBusy(true)
      setFailure(undefined)
      await way().catch(fail)
      setBusy(false)
    })
  }

  async function send(text: string): Promise<void> {
    if (waitSeconds > 0) return
    await attempt(async () =>
      showSecondFactor(wish, isTotp ? { code: text } : { recovery_code: text }),
    )
  }

  function type(text: string): void {
    const next = isTotp ? onlyDigits(text) : text
    setCode(next)
    if (isTotp && next.length === DIGITS && next !== code) void send(next)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (code.trim() !== '') void send(code.trim())
  }

  return (
    <form noValidate onSubmit={submit}>
      {failure && (
        <Message tone="error" id={ERROR_ID}>
          <p>{failure.text}</p>
          <RequestId id={failure.requestId} />
        </Message>
      )}
      {asksFor !== 'passkey' && (
        <>
          <Field
            key={asksFor}
            label={isTotp ? 'Authenticator code' : 'Recovery code'}
            name={isTotp ? 'code' : 'recovery-code'}
            isMonospace
            autoComplete={isTotp ? 'one-time-code' : 'off'}
            value={code}
            inputRef={input}
            errorId={failure === undefined ? undefined : ERROR_ID}
            help={isTotp ? 'Enter the six digits that your app shows.' : 'Each code works once.'}
            onChange={(event) => type(event.target.value)}
            inputProps={{
              inputMode: isTotp ? 'numeric' : 'text',
              maxLength: isTotp ? 7 : 64,
              spellCheck: false,
              autoCapitalize: 'characters',
            }}
          />
          <Button
            type="submit"
            variant="contained"
            size="large"
            fullWidth
            aria-disabled={isBusy || waitSeconds > 0}
          >
            {isBusy ? 'Signing in...' : labelOf('Sign In')}
          </Button>
        </>
      )}
      {methods.length === 0 && (
        <Message tone="error">
          <p>{NO_METHOD}</p>
        </Message>
      )}
      {methods.includes('passkey') && (
        <Button
          ref={passkeyButton}
          variant={asksFor === 'passkey' ? 'contained' : 'outlined'}
          fullWidth
          onClick={() => void attempt(async () => signInByPasskey({ wish }))}
        >
          Use a passkey
        </Button>
      )}
      <div className="login-others">
        {otherCodes(methods, asksFor).map((way) => (
          <Button
            key={way}
            variant="text"
            onClick={() => {
              setCode('')
              setFailure(undefined)
              setAsksFor(way)
            }}
          >
            {OTHER_CODES[way]}
          </Button>
        ))}
        <Button variant="text" onClick={() => onStartAgain(undefined)}>
          Start again
        </Button>
      </div>
    </form>
  )
}
