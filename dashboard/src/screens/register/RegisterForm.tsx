import Button from '@mui/material/Button'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { captchaQuery } from '../../api/captcha.ts'
import { register, rememberRegistered } from '../../api/sign-up.ts'
import { CheckField } from '../../components/CheckField.tsx'
import { Failure } from '../../components/Failure.tsx'
import { Field } from '../../components/Field.tsx'
import { useCountdown } from '../../components/use-countdown.ts'
import { go, hashOf } from '../../routes.ts'
import { Captcha } from '../captcha/Captcha.tsx'
import { useCaptcha } from '../captcha/use-captcha.ts'
import { NewPasswordField } from '../new-password/NewPasswordField.tsx'
import { type Faults, faultsOf, missingIn, NO_FAULTS } from './faults.ts'
import { NameFields } from './NameFields.tsx'
import { RegisterFaults } from './RegisterFaults.tsx'
import { forgetDraft, useDraft } from './use-draft.ts'
import { UsernameField } from './UsernameField.tsx'

/** The CAPTCHA of a registration: the browser solves it while the user fills in the form. */
function useRegistrationCaptcha() {
  const { data: terms, error, refetch } = useQuery(captchaQuery)
  const captcha = useCaptcha()
  const { ask } = captcha
  useEffect(() => {
    if (terms !== undefined && terms.provider !== 'none') ask(terms)
  }, [terms, ask])
  const isMissing =
    terms === undefined || (terms.provider !== 'none' && captcha.token === undefined)
  return { ...captcha, terms, error, refetch, isMissing }
}

/** Sets the focus on the first field with an error. */
function useFocusOnFault(faults: Faults) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults.fields).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  return form
}

interface RegisterFormProps {
  /** What was typed for the account that is corrected; undefined for a new account. */
  readonly former: string | undefined
}

export function RegisterForm({ former }: RegisterFormProps) {
  const { draft, change } = useDraft(former)
  const [ownUsername] = useState(former === undefined ? undefined : draft.username.trim())
  const [password, setPassword] = useState('')
  const [acceptsTerms, setAcceptsTerms] = useState(false)
  const [faults, setFaults] = useState(NO_FAULTS)
  const [isWaiting, setWaiting] = useState(false)
  const captcha = useRegistrationCaptcha()
  const form = useFocusOnFault(faults)
  const waitSeconds = useCountdown(faults.waitSeconds, faults)
  const { mutate, isPending } = useMutation({
    mutationFn: register,
    onSuccess() {
      forgetDraft()
      rememberRegistered(JSON.stringify(draft))
      go(hashOf('registration-success'), { replace: true })
    },
    onError: (error) => setFaults(faultsOf(error)),
  })

  function send(): void {
    const { given_name, surname, username, email } = draft
    captcha.useUp()
    setFaults(NO_FAULTS)
    mutate({
      username: username.trim(),
      email: email.trim(),
      password,
      terms: true,
      ...(given_name.trim() === '' ? {} : { given_name: given_name.trim() }),
      ...(surname.trim() === '' ? {} : { surname: surname.trim() }),
      ...(captcha.token === undefined ? {} : { captcha_token: captcha.token }),
    })
  }

  const sendNow = useEffectEvent(send)
  // The browser is still solving the CAPTCHA when the user submits the form: it is sent afterwards.
  useEffect(() => {
    if (!isWaiting || captcha.isMissing) return
    setWaiting(false)
    sendNow()
  }, [isWaiting, captcha.isMissing])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isPending || isWaiting || waitSeconds > 0) return
    const missing = missingIn({ ...draft, password, acceptsTerms })
    if (missing) setFaults(missing)
    else if (!captcha.isMissing) send()
    else if (captcha.terms?.provider === 'altcha') setWaiting(true)
    else setFaults({ fields: {}, text: 'Please complete the CAPTCHA', waitSeconds: 0 })
  }

  /** Typing in a field removes its error. */
  const changing =
    <Value,>(name: keyof Faults['fields'], set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setFaults((before) => ({ ...before, fields: { ...before.fields, [name]: undefined } }))
    }
  const { fields } = faults
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <RegisterFaults faults={faults} />
      <NameFields draft={draft} change={change} faults={fields} />
      <UsernameField
        value={draft.username}
        ownName={ownUsername}
        error={fields.username}
        onChange={changing('username', change('username'))}
      />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        value={draft.email}
        error={fields.email}
        help="We mail a link to this address to verify it."
        onChange={(event) => changing('email', change('email'))(event.target.value)}
        inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
      />
      <NewPasswordField
        label="Password"
        name="password"
        value={password}
        error={fields.password}
        names={[draft.username, draft.email]}
        onChange={changing('password', setPassword)}
      />
      {captcha.error && <Failure error={captcha.error} onRetry={() => void captcha.refetch()} />}
      {captcha.asked && (
        <Captcha
          key={captcha.asked.round}
          terms={captcha.asked.terms}
          action="register"
          onToken={captcha.setToken}
        />
      )}
      <CheckField
        name="terms"
        isChecked={acceptsTerms}
        error={fields.terms}
        onChange={changing('terms', setAcceptsTerms)}
      >
        I accept the{' '}
        <a href="/terms" target="_blank" rel="noreferrer">
          Terms of Service
        </a>{' '}
        and the{' '}
        <a href="/privacy" target="_blank" rel="noreferrer">
          Privacy Policy
        </a>
      </CheckField>
      <Button
        type="submit"
        variant="contained"
        size="large"
        fullWidth
        aria-disabled={isPending || isWaiting || waitSeconds > 0}
      >
        {submitText({ isPending, isWaiting, waitSeconds })}
      </Button>
    </form>
  )
}

interface Progress {
  readonly isPending: boolean
  readonly isWaiting: boolean
  readonly waitSeconds: number
}

function submitText({ isPending, isWaiting, waitSeconds }: Progress): string {
  if (isPending) return 'Creating account...'
  if (isWaiting) return 'Completing CAPTCHA...'
  return waitSeconds > 0 ? `Try again in ${waitSeconds} s` : 'Sign Up'
}
