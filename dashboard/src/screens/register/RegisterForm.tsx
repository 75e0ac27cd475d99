import Button from '@mui/material/Button'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { register, rememberRegistered } from '../../api/sign-up.ts'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useHold } from '@homing/theme/parts/form-wait.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { go, hashOf } from '../../routes.ts'
import { Captcha } from '../captcha/Captcha.tsx'
import { NewPasswordField } from '../new-password/NewPasswordField.tsx'
import { type Faults, faultsOf, type FieldName, missingIn, NO_FAULTS } from './faults.ts'
import { NameFields } from './NameFields.tsx'
import { RegisterFaults } from './RegisterFaults.tsx'
import { forgetDraft, useDraft } from './use-draft.ts'
import { useRegistrationCaptcha } from './use-registration-captcha.ts'
import { UsernameField } from './UsernameField.tsx'

/** The errors of the last attempt, without those of fields that the user changed since. */
function useFaults() {
  const [faults, setFaults] = useState(NO_FAULTS)
  const [changed, setChanged] = useState<readonly FieldName[]>([])
  function show(next: Faults): void {
    setFaults(next)
    setChanged([])
  }
  const fields = { ...faults.fields, ...Object.fromEntries(changed.map((name) => [name])) }
  return { faults, fields, show, clear: (name: FieldName) => setChanged([...changed, name]) }
}

/** Sets the focus on the first field with an error, after each attempt. */
function useFocusOnFault(faults: Faults) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults.fields).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  return form
}

const NO_CAPTCHA: Faults = { fields: {}, text: 'Please complete the CAPTCHA' }

interface RegisterFormProps {
  /** What was typed for the account that is corrected; undefined for a new account. */
  readonly former: string | undefined
}

export function RegisterForm({ former }: RegisterFormProps) {
  const { draft, change } = useDraft(former)
  const [ownUsername] = useState(former === undefined ? undefined : draft.username.trim())
  const [password, setPassword] = useState('')
  const [acceptsTerms, setAcceptsTerms] = useState(false)
  const { faults, fields, show, clear } = useFaults()
  const [isWaiting, setWaiting] = useState(false)
  const captcha = useRegistrationCaptcha()
  const form = useFocusOnFault(faults)
  const { mutate, isPending, error } = useWrite({
    mutationFn: register,
    onSuccess() {
      forgetDraft()
      rememberRegistered(JSON.stringify(draft))
      go(hashOf('registration-success'), { replace: true })
    },
    onError: (refusal) => show(faultsOf(refusal)),
  })
  const { waitSeconds, labelOf } = useHold(error)

  function send(): void {
    const { given_name, surname, username, email } = draft
    captcha.renew()
    show(NO_FAULTS)
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

  function attempt(): void {
    const missing = missingIn({ ...draft, password, acceptsTerms })
    if (missing) show(missing)
    else if (captcha.progress === 'ready') send()
    else if (captcha.progress === 'asked') show(NO_CAPTCHA)
    else setWaiting(true)
  }

  const attemptAgain = useEffectEvent(attempt)
  // The browser is still solving the CAPTCHA when the user submits the form: it is sent afterwards.
  useEffect(() => {
    if (!isWaiting || captcha.progress === 'loading' || captcha.progress === 'solving') return
    setWaiting(false)
    if (captcha.progress !== 'failed') attemptAgain()
  }, [isWaiting, captcha.progress])

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isPending || isWaiting || waitSeconds > 0) return
    if (captcha.progress === 'failed') void captcha.refetch()
    attempt()
  }

  /** Typing in a field removes its error. */
  const changing =
    <Value,>(name: FieldName, set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      clear(name)
    }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <RegisterFaults faults={faults} />
      <NameFields draft={draft} change={(name) => changing(name, change(name))} faults={fields} />
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
        {isPending
          ? 'Creating account...'
          : isWaiting
            ? 'Completing CAPTCHA...'
            : labelOf('Sign Up')}
      </Button>
    </form>
  )
}
