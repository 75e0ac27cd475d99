/** The sign-in page for administrators. It sends other signed-in users to the dashboard. */
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLogin } from 'react-admin'
import type { Account } from '../api/client.ts'
import { Brand } from '../layout/Brand.tsx'
import { usePageTitle } from '../layout/page-title.ts'
import { messageOf } from '../api/problem.ts'
import { NotAdministrator } from './authProvider.ts'
import { isAdministrator, MissingStep, signedIn } from './session.ts'

function useSomebodyElse(): [Account | undefined, () => void] {
  const [account, setAccount] = useState<Account>()
  const look = () => {
    const show = (found: Account | undefined) =>
      setAccount(isAdministrator(found) ? undefined : found)
    signedIn().then(show, () => undefined)
  }
  useEffect(look, [])
  return [account, look]
}

function WrongDoor({ account }: { account: Account }) {
  return (
    <Message tone="info">
      <span>
        You are signed in as <strong>{account.username}</strong>, who is not an administrator.
        Manage your domains in <a href="/#dashboard">the dashboard</a>.
      </span>
    </Message>
  )
}

/** Links to the dashboard's sign-in page, which supports more steps and then sends administrators here. */
function OtherDoor() {
  return (
    <Message tone="info">
      <span>
        Your sign-in requires one more step. <a href="/#login">Sign in on the dashboard</a>, which
        then brings you back.
      </span>
    </Message>
  )
}

export function SignIn() {
  usePageTitle('Sign in')
  const login = useLogin()
  const [somebodyElse, lookAgain] = useSomebodyElse()
  const [failure, setFailure] = useState<string>()
  const [isMissingStep, setMissingStep] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [password, setPassword] = useState('')
  const passwordField = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setFailure(undefined)
    try {
      await login({ username: form.get('username'), password })
    } catch (error) {
      if (error instanceof NotAdministrator) lookAgain()
      else if (error instanceof MissingStep) setMissingStep(true)
      else setFailure(messageOf(error))
      passwordField.current?.focus()
      passwordField.current?.select()
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <Paper className="sign-in-card">
        <Brand />
        <h1>Sign in to the back office</h1>
        <form onSubmit={(event) => void submit(event)} className="stack">
          {somebodyElse && <WrongDoor account={somebodyElse} />}
          {isMissingStep && <OtherDoor />}
          {failure !== undefined && <Message tone="error">{failure}</Message>}
          <Field
            label="Username or email"
            name="username"
            autoComplete="username"
            autoFocus
            required
            inputProps={{ autoCapitalize: 'none', spellCheck: false }}
          />
          <PasswordField value={password} onChange={setPassword} inputRef={passwordField} />
          <Button type="submit" variant="contained" size="large" loading={isBusy}>
            Sign in
          </Button>
        </form>
        <p className="sign-in-foot">
          For administrators only. <a href="/#dashboard">Go to the dashboard</a>
        </p>
      </Paper>
    </main>
  )
}
