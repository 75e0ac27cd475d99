/** The sections of the settings, for a test of what all of them do on bad days. */
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { exampleOf, mock, ok } from './mock.ts'
import { fill } from './screen.tsx'

type Called = Parameters<typeof mock.bodiesOf>[0]

/** The change that a section sends. */
interface Change {
  readonly sends: Called
  /** The call reads, so the app repeats it. */
  readonly isRead?: true
  /** The button, in the dialog if one is open. */
  readonly button: string
  readonly prepare?: (hands: UserEvent) => Promise<void>
  /** A field that the service can refuse, and its label. */
  readonly field?: readonly [name: string, label: string]
}

export interface SettingsSection {
  readonly id: string
  /** The call that reads what the section shows; undefined if it shows nothing of the service. */
  readonly reads?: Called
  /** A text of the section with its data. */
  readonly text: string | RegExp
  readonly change?: Change
}

const type = async (hands: UserEvent, label: string | RegExp, text: string) =>
  fill(hands, await screen.findByLabelText(label), text)
const press = async (hands: UserEvent, name: string) =>
  hands.click(await screen.findByRole('button', { name }))
const inDialog = async () => within(await screen.findByRole('dialog'))

const SESSIONS = exampleOf('listSessions').flatMap((session) => [
  session,
  { ...session, id: `9${session.id}`, is_current: false },
])
/** The name of the only item in the example of a list. */
const nameOf = ([item]: readonly { readonly name: string }[]) => item?.name ?? ''
export const PASSKEY = nameOf(exampleOf('listPasskeys'))
const factors = exampleOf('getSecondFactors')

/** Mocks an account that every section can change. */
export function serveSections(): void {
  mock.handle({
    listSessions: () => ok(SESSIONS),
    getSecondFactors: () =>
      ok({ ...factors, is_on: false, methods: [], totp_since: null, recovery_codes_left: 0 }),
  })
}

export const SETTINGS: readonly SettingsSection[] = [
  {
    id: 'profile',
    reads: 'getMe',
    text: 'Member since',
    change: {
      sends: 'updateProfile',
      button: 'Update Profile',
      prepare: (hands) => type(hands, 'First name', 'Augusta'),
      field: ['given_name', 'First name'],
    },
  },
  {
    id: 'email',
    reads: 'getMe',
    text: 'Current address',
    change: {
      sends: 'changeEmail',
      button: 'Send Links',
      async prepare(hands) {
        await type(hands, 'New email address', 'ada@example.org')
        await type(hands, 'Current password', 'correct horse')
      },
      field: ['email', 'New email address'],
    },
  },
  {
    id: 'notifications',
    reads: 'getNotifications',
    text: 'An API key expires soon',
    change: {
      sends: 'updateNotifications',
      button: 'Save Notifications',
      prepare: (hands) => type(hands, 'Days without an update', '9'),
      field: ['not_updated_days', 'Days without an update'],
    },
  },
  { id: 'plan', reads: 'getMe', text: 'Included' },
  {
    id: 'password',
    text: /^A new password ends/,
    change: {
      sends: 'changePassword',
      button: 'Change Password',
      async prepare(hands) {
        await type(hands, 'Current Password', 'correct horse')
        await type(hands, 'New Password', 'correct horse battery')
        await type(hands, 'Confirm New Password', 'correct horse battery')
      },
      field: ['current_password', 'Current Password'],
    },
  },
  {
    id: 'two-factor',
    reads: 'getSecondFactors',
    text: 'Authenticator app',
    change: { sends: 'startTotp', button: 'Set Up Authenticator App' },
  },
  {
    id: 'passkeys',
    reads: 'listPasskeys',
    text: PASSKEY,
    change: {
      sends: 'renamePasskey',
      button: 'Rename',
      async prepare(hands) {
        await press(hands, `Rename ${PASSKEY}`)
        await type(hands, 'Name of the passkey', 'phone')
      },
      field: ['name', 'Name of the passkey'],
    },
  },
  {
    id: 'sessions',
    reads: 'listSessions',
    text: 'This session',
    change: {
      sends: 'endOtherSessions',
      button: 'Sign Out All Others',
      async prepare(hands) {
        await press(hands, 'Sign Out All Others')
        await inDialog()
      },
    },
  },
  { id: 'activity', reads: 'listLogins', text: 'Download CSV' },
  {
    id: 'api-keys',
    reads: 'listApiKeys',
    text: nameOf(exampleOf('listApiKeys')),
    change: {
      sends: 'createApiKey',
      button: 'Create API Key',
      async prepare(hands) {
        await press(hands, 'Create API Key')
        await type(hands, 'Name', 'router')
      },
      field: ['name', 'Name'],
    },
  },
  {
    id: 'pipelines',
    reads: 'listTrustPolicies',
    text: nameOf(exampleOf('listTrustPolicies')),
    change: {
      sends: 'createTrustPolicy',
      button: 'Trust Pipeline',
      async prepare(hands) {
        await press(hands, 'Trust a Pipeline')
        await type(hands, 'Name', 'deploy')
        await type(hands, 'Repository', 'ada/home')
      },
      field: ['repository', 'Repository'],
    },
  },
  {
    id: 'export',
    text: /^One file/,
    change: { sends: 'exportAccount', isRead: true, button: 'Export My Data' },
  },
  {
    id: 'danger',
    reads: 'getMe',
    text: /^If you delete your account today/,
    change: {
      sends: 'deleteAccount',
      button: 'Delete Account',
      async prepare(hands) {
        await press(hands, 'Delete Account')
        const dialog = await inDialog()
        await fill(hands, dialog.getByLabelText('Password'), 'correct horse')
        await fill(hands, dialog.getByLabelText(/^Type your username/), 'ada')
      },
      field: ['password', 'Password'],
    },
  },
]
