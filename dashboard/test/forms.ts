/** Forms and buttons that write, for tests of what all of them have in common. */
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { chooseInMenu, domain, serveDomains } from './domains.ts'
import { exampleOf, mock, ok, problem } from './mock.ts'
import { fill, openDashboard, openSignIn } from './screen.tsx'

type Sent = Parameters<typeof mock.bodiesOf>[0]

/** A form that sends one call. */
export interface Form {
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

/** One form of each kind: of visitors, of settings, in dialogs, a button alone. */
export const FORMS: readonly Form[] = [
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
    prepare: (hands) => chooseInMenu(hands, 'home.example.net', 'Delete'),
    button: 'Delete',
  },
  {
    sends: 'updateDomain',
    at: '#domain/home.example.net',
    async prepare(hands) {
      await press(hands, 'Edit Tags')
      await type(hands, 'Tags', 'attic')
    },
    button: 'Save',
  },
  {
    sends: 'createUpdateToken',
    at: '#dashboard',
    prepare: (hands) => chooseInMenu(hands, 'home.example.net', 'How to Update'),
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
    at: '#settings/api-keys?dialog=new',
    prepare: (hands) => type(hands, 'Name', 'router'),
    button: 'Create API Key',
  },
  {
    sends: 'createWebForward',
    at: '#webforward?dialog=add',
    async prepare(hands) {
      await screen.findByRole('dialog')
      await type(hands, 'Target URL', 'shop.example.com')
    },
    button: 'Add Web Forwarding',
  },
  {
    sends: 'endOtherSessions',
    at: '#settings/sessions',
    prepare: (hands) => press(hands, 'Sign Out All Others'),
    button: 'Sign Out All Others',
  },
]

/** The button in the dialog, if there is one, otherwise in the page. */
export function buttonOf(name: string): HTMLButtonElement {
  const dialog = screen.queryByRole('dialog')
  return within(dialog ?? document.body).getByRole<HTMLButtonElement>('button', { name })
}

const SESSIONS = exampleOf('listSessions').flatMap((session) => [
  session,
  { ...session, id: `9${session.id}`, is_current: false },
])

/** Opens a form and fills it in. @returns the simulated keyboard and mouse */
export async function openForm(form: Form): Promise<UserEvent> {
  serveDomains(domain())
  mock.handle({
    getUpdateToken: () => problem('no-update-token'),
    listSessions: () => ok(SESSIONS),
    listWebForwards: () => ok([]),
  })
  const hands = (form.isForVisitors === true ? openSignIn : openDashboard)(form.at)
  await form.prepare(hands)
  await screen.findByRole('button', { name: form.button })
  return hands
}
