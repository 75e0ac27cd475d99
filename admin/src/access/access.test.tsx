/** Access to the back office, and the confirmation of identity. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../test/mock.ts'
import {
  plan,
  serveAdministrator,
  servePlans,
  serveSubscriptions,
  subscription,
  user,
} from '../../test/records.ts'
import { serveUsers } from '../../test/user-records.ts'
import { fill, open } from '../../test/screen.tsx'

async function signIn(hands: UserEvent): Promise<void> {
  await fill(hands, await screen.findByRole('textbox', { name: /^Username or email/ }), 'root')
  await fill(hands, screen.getByLabelText(/^Password/), 'correct horse')
  await hands.click(screen.getByRole('button', { name: 'Sign in' }))
}

describe('signing in', () => {
  test('brings an administrator to the requested page', async () => {
    mock.caller = 'nobody'
    serveUsers(user())
    mock.handle({
      login() {
        serveAdministrator()
        return ok(exampleOf('completeLogin'))
      },
    })
    const hands = open('/users/7')
    await signIn(hands)
    expect(await screen.findByRole('heading', { name: 'ada' })).toBeDefined()
    expect(location.pathname).toBe('/admin/users/7')
    expect(mock.bodiesOf('login')).toEqual([
      { username_or_email: 'root', password: 'correct horse' },
    ])
  })

  test('sends other users to the dashboard without ending their session', async () => {
    mock.caller = 'user'
    mock.handle({ getMe: () => ok(exampleOf('getMe')) })
    open('/users')
    const notice = await screen.findByText(/who is not an administrator/)
    expect(notice.textContent).toBe(
      'You are signed in as ada, who is not an administrator. Manage your domains in the dashboard.',
    )
    expect(mock.calls.some(({ id }) => id === 'logout' || id === 'listUsers')).toBe(false)
  })

  test('reports a wrong password', async () => {
    mock.caller = 'nobody'
    mock.handle({
      login: () => problem('wrong-credentials', { detail: 'Wrong name or password.' }),
    })
    const hands = open('/users')
    await signIn(hands)
    expect(await screen.findByText('Wrong name or password.')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByLabelText(/^Password/))
  })

  test('links to the dashboard’s sign-in when another step is required', async () => {
    mock.caller = 'nobody'
    mock.handle({
      login: () => ok({ requires_captcha: true, captcha: { provider: 'altcha' } }),
    })
    const hands = open('/users')
    await signIn(hands)
    const link = await screen.findByRole('link', { name: 'Sign in on the dashboard' })
    expect(link.getAttribute('href')).toBe('/#login')
  })
})

test('when the session ends, the sign-in page opens', async () => {
  serveUsers(user())
  const hands = open('/users')
  await screen.findByRole('link', { name: 'ada' })
  mock.caller = 'nobody'
  await hands.click(screen.getByRole('link', { name: 'Plans' }))
  expect(await screen.findByRole('heading', { name: 'Sign in to the back office' })).toBeDefined()
})

describe('a write after the session has ended', () => {
  const ENDED = 'Your session has ended. Sign in again in another tab, then try again here.'

  test('keeps the form, reports no success, and works after another sign-in', async () => {
    const kept = serveUsers(user())
    const hands = open('/users/7')
    const surname = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Surname' })
    await fill(hands, surname, 'Lovelace')
    mock.caller = 'nobody'
    await hands.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(ENDED)).toBeDefined()
    expect(screen.queryByText('Saved.')).toBeNull()
    expect([location.pathname, surname.value]).toEqual(['/admin/users/7', 'Lovelace'])
    serveAdministrator()
    await hands.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Saved.')).toBeDefined()
    expect(kept[0]?.surname).toBe('Lovelace')
  })

  test('keeps the preview of a plan’s form too', async () => {
    servePlans(plan())
    const hands = open('/plans/pro')
    const limit = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Domain limit/ })
    await fill(hands, limit, '50')
    mock.caller = 'nobody'
    await hands.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(ENDED)).toBeDefined()
    expect([location.pathname, limit.value]).toEqual(['/admin/plans/pro', '50'])
  })

  test.each([
    ['nobody', ENDED],
    [
      'user',
      'Your account is no longer an administrator account. Sign in as an administrator in another tab, then try again here.',
    ],
  ] as const)('by %s keeps a dialog and its text', async (caller, words) => {
    serveSubscriptions(subscription({ provider_id: 'sub_1' }))
    const hands = open('/subscriptions')
    await hands.click(await screen.findByRole('button', { name: 'Refund sub_1' }))
    const name = 'Refund the last payment of ada?'
    const dialog = within(await screen.findByRole('dialog', { name }))
    const reason = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Reason' })
    await fill(hands, reason, 'Two days down.')
    mock.caller = caller
    await hands.click(dialog.getByRole('button', { name: 'Refund' }))
    expect(await dialog.findByText(words)).toBeDefined()
    expect(reason.value).toBe('Two days down.')
    expect(screen.queryByText(/was refunded/)).toBeNull()
  })
})

test('the header shows who is signed in after another tab signed in as somebody else', async () => {
  serveUsers(user())
  open('/users')
  const header = within(await screen.findByRole('banner'))
  expect(await header.findByText('root')).toBeDefined()
  const account = { ...exampleOf('getMe'), username: 'boss', account_type: 'admin' } as const
  mock.handle({ getMe: () => ok(account) })
  fireEvent(window, new Event('visibilitychange'))
  expect(await header.findByText('boss')).toBeDefined()
})

test('Logout ends the session', async () => {
  serveUsers(user())
  mock.handle({
    logout() {
      mock.caller = 'nobody'
      return ok()
    },
  })
  const hands = open('/users')
  await hands.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByRole('heading', { name: 'Sign in to the back office' })).toBeDefined()
})

test('an unknown URL lists the pages', async () => {
  open('/nowhere')
  await screen.findByRole('heading', { name: 'Page not found' })
  const links = within(screen.getByRole('main')).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Users',
    'Plans',
    'Subscriptions',
    'Payment events',
    'Ledger',
    'Tax rates',
    'Domains',
    'Own zones',
    'Records',
    'Web forwards',
    'Blocked targets',
    'Monitors',
    'DNS queries',
    'Locked names',
  ])
})

describe('a confirmation of identity', () => {
  const factors = exampleOf('getSecondFactors')
  const none = { ...factors, is_on: false, methods: [] }

  /** Changes a plan, for which the service requires confirmation of identity. */
  async function changePlan(ways: typeof factors = none) {
    mock.hasFreshProof = false
    const kept = servePlans(plan())
    mock.handle({ getSecondFactors: () => ok(ways) })
    const hands = open('/plans/pro')
    await fill(hands, await screen.findByRole('textbox', { name: /^Domain limit/ }), '50')
    await hands.click(screen.getByRole('button', { name: 'Save' }))
    await hands.click(await screen.findByRole('button', { name: 'Change plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm it’s you' }))
    return { kept, hands, dialog }
  }

  function confirmed() {
    mock.hasFreshProof = true
    return ok(exampleOf('confirmIdentity'))
  }

  test('with a password sends the waiting call again, once', async () => {
    mock.handle({ confirmIdentity: confirmed })
    const { kept, hands, dialog } = await changePlan()
    await fill(hands, await dialog.findByLabelText(/^Password/), 'correct horse')
    await hands.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Saved.')).toBeDefined()
    expect([mock.bodiesOf('confirmIdentity'), kept[0]?.domain_limit, kept[0]?.version]).toEqual([
      [{ password: 'correct horse' }],
      50,
      2,
    ])
  })

  test('with an authenticator code, if the account has an app', async () => {
    mock.handle({ confirmIdentity: confirmed })
    const { hands, dialog } = await changePlan({ ...factors, methods: ['totp'] })
    await fill(hands, await dialog.findByLabelText(/^Authenticator code/), '123456')
    await hands.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Saved.')).toBeDefined()
    expect(mock.bodiesOf('confirmIdentity')).toEqual([{ code: '123456' }])
  })

  test('that fails can be tried again', async () => {
    const errors = [{ field: 'password', message: 'password is wrong.' }]
    mock.handle({
      confirmIdentity: () => problem('validation-failed', { detail: 'Wrong password.', errors }),
    })
    const { hands, dialog } = await changePlan()
    await fill(hands, await dialog.findByLabelText(/^Password/), 'wrong')
    await hands.click(dialog.getByRole('button', { name: 'Confirm' }))
    expect(await dialog.findByText('Wrong password.')).toBeDefined()
    expect(dialog.getByLabelText(/^Password/)).toHaveProperty('value', '')
    await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Confirm your identity.')).toBeDefined()
  })

  test('that is cancelled changes nothing', async () => {
    const { kept, hands, dialog } = await changePlan()
    await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Confirm your identity.')).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(kept[0]?.version).toBe(1)
  })
})
