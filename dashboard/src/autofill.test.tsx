/**
 * What browsers and password managers fill in: each field of the account's screens has a name and one token of the HTML
 * standard's autofill list, is rendered, and is in a form with a submit button.
 */
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { mock, ok } from '../test/mock.ts'
import { fill, openDashboard, openSignIn } from '../test/screen.tsx'
import { PASSKEY, serveSections } from '../test/settings-sections.ts'

/** HTML Living Standard, section 4.10.18.7; `webauthn` comes last (Web Authentication, section 5.1.4). */
const FIELD_NAMES = [
  'off',
  'username',
  'current-password',
  'new-password',
  'one-time-code',
  'email',
  'given-name',
  'family-name',
]

interface Place {
  readonly at: string
  readonly isForVisitors?: true
  readonly prepare?: (hands: UserEvent) => Promise<unknown>
  /** The label of each field, and its token. Without a label: the user name that only password managers read. */
  readonly fields: readonly (readonly [label: string, token: string])[]
}

const press = async (hands: UserEvent, name: string) =>
  hands.click(await screen.findByRole('button', { name }))
const ACCOUNT = ['', 'username'] as const

async function passFirstFactor(hands: UserEvent): Promise<void> {
  mock.handle({
    login: () =>
      ok({
        requires_second_factor: true,
        login_token: 'stands-for-the-password',
        methods: ['totp'],
        expires_at: '2026-05-12T08:40:00.000Z',
      }),
  })
  await fill(hands, await screen.findByLabelText('Username or email'), 'ada')
  await fill(hands, screen.getByLabelText('Password'), 'correct horse')
  await press(hands, 'Sign In')
}

const PLACES: readonly Place[] = [
  {
    at: '#login',
    isForVisitors: true,
    fields: [
      ['Username or email', 'username webauthn'],
      ['Password', 'current-password'],
    ],
  },
  {
    at: '#login?second-factor',
    isForVisitors: true,
    prepare: passFirstFactor,
    fields: [['Authenticator code', 'one-time-code']],
  },
  {
    at: '#register',
    isForVisitors: true,
    fields: [
      ['First name (optional)', 'given-name'],
      ['Last name (optional)', 'family-name'],
      ['Username', 'username'],
      ['Email', 'email'],
      ['Password', 'new-password'],
    ],
  },
  { at: '#forgot-password', isForVisitors: true, fields: [['Email', 'email']] },
  { at: '#resend-verification', isForVisitors: true, fields: [['Email', 'email']] },
  {
    at: '#reset-password/autofill',
    isForVisitors: true,
    fields: [ACCOUNT, ['New Password', 'new-password'], ['Confirm New Password', 'new-password']],
  },
  {
    at: '#settings/profile',
    fields: [
      ['First name', 'given-name'],
      ['Last name', 'family-name'],
    ],
  },
  {
    at: '#settings/email',
    fields: [ACCOUNT, ['New email address', 'email'], ['Current password', 'current-password']],
  },
  {
    at: '#settings/password',
    fields: [
      ACCOUNT,
      ['Current Password', 'current-password'],
      ['New Password', 'new-password'],
      ['Confirm New Password', 'new-password'],
    ],
  },
  { at: '#settings/notifications', fields: [['Days without an update', 'off']] },
  {
    at: '#settings/two-factor',
    prepare: (hands) => press(hands, 'Set Up Authenticator App'),
    fields: [['Authenticator code', 'one-time-code']],
  },
  {
    at: '#settings/passkeys',
    prepare: (hands) => press(hands, `Rename ${PASSKEY}`),
    fields: [['Name of the passkey', 'off']],
  },
  {
    at: '#settings/danger',
    prepare: (hands) => press(hands, 'Delete Account'),
    fields: [
      ['Type your username, ada, to confirm', 'off'],
      ACCOUNT,
      ['Password', 'current-password'],
    ],
  },
  {
    at: '#settings/two-factor?confirm',
    async prepare(hands) {
      mock.hasFreshProof = false
      await press(hands, 'Set Up Authenticator App')
    },
    fields: [ACCOUNT, ['Password', 'current-password']],
  },
]

test.each(PLACES)('$at', async ({ at, isForVisitors, prepare, fields }) => {
  serveSections()
  const hands = (isForVisitors === true ? openSignIn : openDashboard)(at)
  await prepare?.(hands)
  const label = fields.find(([text]) => text !== '')?.[0] ?? ''
  const first = await screen.findByLabelText(label)
  const form = first.closest('form')
  const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input:not([type=checkbox])') ?? [])]
  expect(
    inputs.map(({ labels, autocomplete }) => [labels?.[0]?.textContent ?? '', autocomplete]),
  ).toEqual(fields)
  for (const input of inputs) {
    expect(FIELD_NAMES).toContain(input.autocomplete.replace(' webauthn', ''))
    expect([input.name, input.id]).not.toContain('')
    expect(input.closest('[hidden]')).toBeNull()
  }
  expect(new Set(inputs.map(({ name }) => name)).size).toBe(inputs.length)
  expect(form?.querySelector('button[type=submit]')).not.toBeNull()
})
