/** A session that ends while the user works: they sign in again in place, and keep what they typed. */
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { serveDomains, domain } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'
import { followOtherTabs } from '../../api/session.ts'

const ADA = exampleOf('completeLogin')

function accept(user = ADA) {
  mock.caller = 'user'
  return ok(user)
}

/** The session ends, and nobody has noticed. */
const endSession = () => {
  mock.caller = 'nobody'
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Sign in again' }))
const isGone = async (name = 'Sign in again') =>
  waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())

async function signIn(hands: UserEvent): Promise<void> {
  const form = await dialog()
  await fill(hands, form.getByLabelText('Password'), 'correct horse')
  await hands.click(form.getByRole('button', { name: 'Sign In' }))
}

const firstName = async () => screen.findByLabelText('First name')
const save = () => screen.getByRole('button', { name: 'Update Profile' })

/** Opens the profile, types a name, and presses Save after the session has ended. */
async function saveTooLate(): Promise<UserEvent> {
  const hands = openDashboard('#settings/profile')
  await fill(hands, await firstName(), 'Augusta')
  endSession()
  await hands.click(save())
  return hands
}

/** Another tab changes the storage that both share. */
async function inAnotherTab(key: string, newValue: string | null): Promise<void> {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  await act(async () => void dispatchEvent(new StorageEvent('storage', { key, newValue })))
}

function followTabs() {
  const controls = { reload: vi.fn<() => void>(), leave: vi.fn<() => void>() }
  onTestFinished(followOtherTabs(controls))
  return controls
}

test('a change is kept, and is sent when the user presses the button again', async () => {
  mock.handle({ login: () => accept() })
  const hands = await saveTooLate()
  const form = await dialog()
  const name = form.getByLabelText('Username or email')
  expect([name.getAttribute('value'), name]).toEqual([
    'ada',
    expect.objectContaining({ readOnly: true }),
  ])
  expect(localStorage.getItem('user')).toBeNull()
  await signIn(hands)
  expect(
    await screen.findByText(/^You are signed in again\. Your change was not sent\./),
  ).toBeDefined()
  expect(((await firstName()) as HTMLInputElement).value).toBe('Augusta')
  // The refused call only.
  expect(mock.bodiesOf('updateProfile')).toHaveLength(1)
  await hands.click(save())
  expect(await screen.findByText('Your profile was updated.')).toBeDefined()
  expect(mock.bodiesOf('updateProfile')).toHaveLength(2)
  expect(location.hash).toBe('#settings/profile')
})

test('a dialog stays open below, and a list is read again by itself', async () => {
  serveDomains(domain())
  mock.handle({ login: () => accept() })
  const hands = openDashboard()
  await screen.findByRole('table', { name: 'Domains' })
  endSession()
  await hands.click(screen.getByRole('button', { name: 'Zone' }))
  await signIn(hands)
  await isGone()
  await waitFor(() => expect(location.hash).toBe('#dashboard?sort=zone'))
  expect(await screen.findByRole('table', { name: 'Domains' })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()

  await hands.click(screen.getByRole('button', { name: 'Add Domain' }))
  const add = within(await screen.findByRole('dialog', { name: 'Add domain' }))
  await fill(hands, add.getByLabelText('Subdomain'), 'nas')
  endSession()
  await hands.click(add.getByRole('button', { name: 'Add Domain' }))
  await signIn(hands)
  await isGone()
  expect(await add.findByText(/Please press the button again\.$/)).toBeDefined()
  await hands.click(add.getByRole('button', { name: 'Add Domain' }))
  expect(await screen.findByText(/^nas\..* was added\./)).toBeDefined()
})

test('a second factor is asked for in the same dialog', async () => {
  mock.handle({
    login: () =>
      ok({
        requires_second_factor: true,
        login_token: 'stands-for-the-password',
        methods: ['totp'],
        expires_at: '2026-05-12T08:40:00.000Z',
      }),
    completeLogin: () => accept(),
  })
  const hands = await saveTooLate()
  await signIn(hands)
  await hands.type(await screen.findByRole('textbox', { name: 'Authenticator code' }), '123456')
  await isGone('Second factor')
  expect(((await firstName()) as HTMLInputElement).value).toBe('Augusta')
})

test('a wrong password can be typed again', async () => {
  mock.handle({ login: () => problem('wrong-credentials') })
  await signIn(await saveTooLate())
  expect(await (await dialog()).findByText('Invalid username/email or password')).toBeDefined()
})

test('somebody else signs in on the sign-in screen, after a question about unsaved changes', async () => {
  const hands = await saveTooLate()
  await hands.click((await dialog()).getByRole('button', { name: 'Sign in as somebody else' }))
  await hands.click(await screen.findByRole('button', { name: 'Discard Changes' }))
  expect(await screen.findByText(/^Your session has ended\./)).toBeDefined()
  expect(decodeURIComponent(location.hash)).toBe('#login?next=settings/profile')
})

test('when the first call after a sign-in is refused, the browser did not keep the cookie', async () => {
  endSession()
  openDashboard('#settings/profile')
  expect(await screen.findByText(/^Your browser did not keep the cookie/)).toBeDefined()
})

test('the same user signs in in another tab: the dialog closes here', async () => {
  followTabs()
  await saveTooLate()
  await dialog()
  mock.caller = 'user'
  await inAnotherTab('user', JSON.stringify({ ...ADA, id: '7' }))
  await isGone()
  expect(((await firstName()) as HTMLInputElement).value).toBe('Augusta')
})

test('another user signs in in another tab: the page loads again, and shows nothing meanwhile', async () => {
  const { reload } = followTabs()
  openDashboard('#settings/profile')
  await firstName()
  await inAnotherTab('user', JSON.stringify({ ...ADA, id: '8' }))
  expect(reload).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByLabelText('First name')).toBeNull())
})

test('the session expires in another tab: the dialog opens here too', async () => {
  followTabs()
  const hands = openDashboard('#settings/profile')
  await fill(hands, await firstName(), 'Augusta')
  await inAnotherTab('user', null)
  await dialog()
  expect(((await firstName()) as HTMLInputElement).value).toBe('Augusta')
})

test('the user signs out in another tab: this one goes to the landing page', async () => {
  const { leave } = followTabs()
  openDashboard('#settings/profile')
  await firstName()
  await inAnotherTab('signed_out', 'true')
  await inAnotherTab('user', null)
  expect(leave).toHaveBeenCalledOnce()
})
