/** The one banner of signed-in users. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../test/domains.ts'
import { mock, problem } from '../../../test/mock.ts'
import { notice, serveNotices } from '../../../test/notices.ts'
import { openDashboard } from '../../../test/screen.tsx'

const banner = async () => within(await screen.findByRole('region', { name: 'Notices' }))
const dismiss = async () => (await banner()).getByRole('button', { name: 'Dismiss this notice' })

beforeEach(() => serveDomains(domain()))

describe('the banner', () => {
  test('shows the first notice: its severity in words, its text and its action', async () => {
    serveNotices(notice('failed-sign-ins', { severity: 'warning' }), notice('free-plan'))
    openDashboard()
    const shown = await banner()
    expect((await shown.findByRole('status')).textContent).toBe(
      'Attention About failed-sign-ins What to do.',
    )
    const action = shown.getByRole('link', { name: 'Settle it' })
    expect(action.getAttribute('href')).toBe('#settings/api-keys')
    expect(shown.getByText('1 of 2')).toBeDefined()
    expect(screen.queryByText('About free-plan')).toBeNull()
  })

  test('leads to the other notices and back', async () => {
    serveNotices(notice('failed-sign-ins'), notice('free-plan'))
    const hands = openDashboard()
    const shown = await banner()
    const next = await shown.findByRole('button', { name: 'Next notice' })
    await hands.click(next)
    expect(shown.getByText('About free-plan')).toBeDefined()
    expect(shown.getByText('2 of 2')).toBeDefined()
    await hands.click(next)
    expect(shown.getByText('About failed-sign-ins')).toBeDefined()
  })

  test('is an alert for a problem, and is on the settings, too', async () => {
    serveNotices(notice('domains-over-limit', { severity: 'error' }))
    openDashboard('#settings/profile')
    const shown = await banner()
    expect((await shown.findByRole('alert')).textContent).toMatch(/^Problem About /)
    expect(shown.queryByRole('button', { name: 'Next notice' })).toBeNull()
  })

  test('advertises no plan to who is about to buy one', async () => {
    serveNotices(notice('free-plan'), notice('failed-sign-ins'))
    openDashboard('#payment?plan=pro&billing=annual')
    const shown = await banner()
    expect(await shown.findByText('About failed-sign-ins')).toBeDefined()
    expect(shown.queryByRole('button', { name: 'Next notice' })).toBeNull()
  })

  test('leaves out on the dashboard what its list says, and has it on other screens', async () => {
    serveNotices(notice('keys-expiring'), notice('first-steps'), notice('free-plan'))
    openDashboard()
    const shown = await banner()
    expect(await shown.findByText('About free-plan')).toBeDefined()
    expect(shown.queryByRole('button', { name: 'Next notice' })).toBeNull()
    const list = within(screen.getByRole('region', { name: 'Needs attention' }))
    expect(list.getByText('About keys-expiring')).toBeDefined()
    location.hash = '#settings/profile'
    // The other screen has a banner of its own.
    await waitFor(async () => (await banner()).getByText('About keys-expiring'))
    expect((await banner()).getByText('1 of 2')).toBeDefined()
  })

  test('is absent without notices, and when the service does not return them', async () => {
    openDashboard()
    await screen.findByRole('row', { name: /^home/ })
    expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull()
    mock.handle({ listNotices: () => problem('forbidden') })
    location.hash = '#settings/profile'
    await screen.findByRole('heading', { name: 'Profile Information' })
    expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull()
  })
})

describe('dismissing', () => {
  test('shows the next notice, and keeps the focus', async () => {
    serveNotices(notice('failed-sign-ins'), notice('free-plan'))
    const hands = openDashboard()
    await (await banner()).findByText('About failed-sign-ins')
    await hands.click(await dismiss())
    await (await banner()).findByText('About free-plan')
    expect(mock.calls.filter(({ id }) => id === 'dismissNotice')[0]?.params).toEqual({
      id: 'failed-sign-ins-1',
    })
    expect(document.activeElement).toBe(await dismiss())
    await hands.click(await dismiss())
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  test('that fails says so, and keeps the notice', async () => {
    serveNotices(notice('free-plan'))
    mock.handle({ dismissNotice: () => problem('rate-limited', { detail: 'Too many.' }) })
    const hands = openDashboard()
    await (await banner()).findByText('About free-plan')
    await hands.click(await dismiss())
    expect(await screen.findByText('The notice was not dismissed. Too many.')).toBeDefined()
    expect((await banner()).getByText('About free-plan')).toBeDefined()
  })

  test('is not offered for a notice that must be settled', async () => {
    serveNotices(notice('recovery-codes-few', { dismissable: false }))
    openDashboard()
    await (await banner()).findByText('About recovery-codes-few')
    expect(screen.queryByRole('button', { name: 'Dismiss this notice' })).toBeNull()
  })
})

test('a logout does not read the notices with the ended session', async () => {
  serveNotices(notice('free-plan'))
  const hands = openDashboard()
  await (await banner()).findByText('About free-plan')
  const reads = () => mock.calls.filter(({ id }) => id === 'listNotices').length
  const before = reads()
  await hands.click(screen.getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(localStorage.getItem('user')).toBeNull())
  expect(mock.calls.at(-1)?.id).toBe('logout')
  expect(reads()).toBe(before)
})

test('a change that the user makes reads the notices again', async () => {
  serveNotices(notice('terms-changed'))
  const hands = openDashboard()
  await (await banner()).findByText('About terms-changed')
  serveNotices()
  await chooseInMenu(hands, 'home.example.net', 'Delete')
  await hands.click(await screen.findByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull())
})
