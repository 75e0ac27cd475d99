/** A double click, and Enter together with a click, send one call: on forms, in dialogs, and by buttons. */
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../test/mock.ts'
import { fill, openDashboard, openSignIn } from '../../test/screen.tsx'

type Sent = Parameters<typeof mock.bodiesOf>[0]

interface Form {
  /** The operation that must be called once. */
  readonly sends: Sent
  /** The fragment; screens of visitors open without a user. */
  readonly at: string
  readonly isForVisitors?: boolean
  /** Opens and fills in the form. */
  readonly prepare: (hands: UserEvent) => Promise<void>
  /** The button that sends it. */
  readonly button: string
}

const press = async (hands: UserEvent, name: string | RegExp) =>
  hands.click(await screen.findByRole('button', { name }))
const type = async (hands: UserEvent, label: string, text: string) =>
  fill(hands, await screen.findByLabelText(label), text)

const SESSION = exampleOf('listSessions')[0]

const FORMS: readonly Form[] = [
  {
    sends: 'login',
    at: '#login',
    isForVisitors: true,
    async prepare(hands) {
      await type(hands, 'Username or email', 'ada')
      await type(hands, 'Password', 'correct horse')
    },
    button: 'Sign In',
  },
  {
    sends: 'forgotPassword',
    at: '#forgot-password',
    isForVisitors: true,
    prepare: (hands) => type(hands, 'Email', 'ada@example.net'),
    button: 'Send Reset Link',
  },
  {
    sends: 'resetPassword',
    at: '#reset-password/secret',
    isForVisitors: true,
    async prepare(hands) {
      await type(hands, 'New Password', 'correct horse battery')
      await type(hands, 'Confirm New Password', 'correct horse battery')
    },
    button: 'Reset Password',
  },
  {
    sends: 'createDomain',
    at: '#dashboard',
    async prepare(hands) {
      await press(hands, 'Add Domain')
      await type(hands, 'Subdomain', 'nas')
    },
    button: 'Add Domain',
  },
  {
    sends: 'deleteDomain',
    at: '#dashboard',
    prepare: (hands) => press(hands, 'Delete home.example.net'),
    button: 'Delete',
  },
  {
    sends: 'createUpdateToken',
    at: '#dashboard',
    prepare: (hands) => press(hands, 'How to Update home.example.net'),
    button: 'Create Update Token',
  },
  {
    sends: 'updateProfile',
    at: '#settings/profile',
    prepare: (hands) => type(hands, 'First name', 'Augusta'),
    button: 'Update Profile',
  },
  {
    sends: 'changePassword',
    at: '#settings/password',
    async prepare(hands) {
      await type(hands, 'Current Password', 'correct horse')
      await type(hands, 'New Password', 'correct horse battery')
      await type(hands, 'Confirm New Password', 'correct horse battery')
    },
    button: 'Change Password',
  },
  {
    sends: 'createApiKey',
    at: '#settings/api-keys?open=new',
    prepare: (hands) => type(hands, 'Name', 'router'),
    button: 'Create API Key',
  },
  {
    sends: 'endOtherSessions',
    at: '#settings/sessions',
    prepare: (hands) => press(hands, 'Sign Out All Others'),
    button: 'Sign Out All Others',
  },
]

/** The button in the dialog, if there is one, otherwise in the page. */
function buttonOf(name: string): HTMLElement {
  const dialog = screen.queryByRole('dialog')
  return within(dialog ?? document.body).getByRole('button', { name })
}

test.each(FORMS)('$button at $at', async (form) => {
  serveDomains(domain())
  mock.handle({
    getUpdateToken: () => problem('no-update-token'),
    ...(SESSION
      ? { listSessions: () => ok([SESSION, { ...SESSION, id: '9', is_current: false }]) }
      : {}),
    ...(form.sends === 'login' ? { login: () => problem('wrong-credentials') } : {}),
    ...(form.sends === 'createDomain' ? { createDomain: () => problem('name-taken') } : {}),
    ...(form.sends === 'deleteDomain' ? { deleteDomain: () => ok() } : {}),
  })
  const hands = (form.isForVisitors ? openSignIn : openDashboard)(form.at)
  await form.prepare(hands)
  await screen.findByRole('button', { name: form.button })
  const pressed = buttonOf(form.button) as HTMLButtonElement
  // In one step, so that nothing is rendered between.
  await act(async () => {
    pressed.click()
    pressed.form?.requestSubmit()
    pressed.click()
  })
  await waitFor(() => expect(mock.bodiesOf(form.sends)).toHaveLength(1))
})
