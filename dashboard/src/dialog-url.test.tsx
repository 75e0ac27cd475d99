/** Dialogs in the URL, on the screens that have them. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../test/domains.ts'
import { exampleOf, mock, ok } from '../test/mock.ts'
import { fill, openDashboard } from '../test/screen.tsx'

const button = async (name: string) => screen.findByRole('button', { name })
const noDialog = async () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const hashIs = async (hash: string) => waitFor(() => expect(location.hash).toBe(hash))
/** The browser goes back a moment later, while the test waits for the effect. */
const back = () => history.back()

/** Waits until the browser has gone back, if it was about to. */
const afterReturn = async () =>
  act(async () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume, 50))))

describe('a dialog of the dashboard', () => {
  test('opens by its URL, also for a domain that the table does not show', async () => {
    serveDomains(domain(), domain({ id: '43', fqdn: 'nas.example.net' }))
    const user = openDashboard('#dashboard?q=home&dialog=update&id=43')
    await screen.findByRole('dialog', { name: 'Update nas.example.net' })
    await user.keyboard('{Escape}')
    await noDialog()
    expect(location.hash).toBe('#dashboard?q=home')
    // Nothing had the focus before the dialog.
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  })

  test('says when its domain does not exist', async () => {
    serveDomains(domain())
    const user = openDashboard('#dashboard?dialog=delete&id=99')
    const dialog = within(
      await screen.findByRole('dialog', { name: 'This domain cannot be shown' }),
    )
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await noDialog()
    expect(location.hash).toBe('#dashboard')
  })

  test('is closed by Back, and closing it adds nothing to the history', async () => {
    serveDomains(domain())
    const user = openDashboard('#dashboard?q=home')
    await user.click(await button('Update home.example.net'))
    await screen.findByRole('dialog')
    expect(location.hash).toBe('#dashboard?q=home&dialog=update&id=42')
    back()
    await noDialog()
    expect(location.hash).toBe('#dashboard?q=home')
    const { length } = history
    await chooseInMenu(user, 'home.example.net', 'Delete')
    await user.click(await button('Cancel'))
    await noDialog()
    await hashIs('#dashboard?q=home')
    expect(history.length).toBe(length)
  })
})

test('closing a dialog does not undo a step that the user takes at once', async () => {
  serveDomains(domain())
  const user = openDashboard('#dashboard')
  await chooseInMenu(user, 'home.example.net', 'Delete')
  const cancel = await button('Cancel')
  act(() => {
    cancel.click()
    location.hash = '#deleted-domains'
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Deleted Domains' })).toBeDefined()
  await afterReturn()
  expect(location.hash).toBe('#deleted-domains')
})

test.each([
  ['before the browser goes back', () => undefined],
  ['while the browser goes back', () => vi.advanceTimersByTime(50)],
])('a dialog that is opened again %s stays open, and Back closes it', async (_, paint) => {
  serveDomains(domain())
  const user = openDashboard('#dashboard')
  const add = await button('Add Domain')
  await user.click(add)
  const cancel = await button('Cancel')
  vi.useFakeTimers({
    toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'setTimeout', 'clearTimeout'],
  })
  act(() => {
    cancel.click()
    paint()
    add.click()
  })
  // The dialog appears after the next paint.
  act(() => void vi.advanceTimersByTime(50))
  vi.useRealTimers()
  await screen.findByRole('dialog', { name: 'Add domain' })
  await afterReturn()
  expect(location.hash).toBe('#dashboard?dialog=add')
  back()
  await noDialog()
  expect(location.hash).toBe('#dashboard')
})

describe('a secret that is shown once', () => {
  const SECRET = 'ut_0123456789'

  test('is protected from Back, and is not part of the URL', async () => {
    mock.hasFreshProof = true
    serveDomains(domain())
    const token = exampleOf('createUpdateToken')
    mock.handle({ createUpdateToken: () => ok({ ...token, token: SECRET }) })
    const user = openDashboard()
    await chooseInMenu(user, 'home.example.net', 'How to Update')
    await user.click(await button('Replace Token'))
    await user.click(await button('Replace'))
    await screen.findAllByText(new RegExp(SECRET))
    expect(location.href).not.toContain(SECRET)
    back()
    const question = within(await screen.findByRole('dialog', { name: 'Leave without the token?' }))
    await user.click(question.getByRole('button', { name: 'Cancel' }))
    expect(screen.getAllByText(new RegExp(SECRET)).length).toBeGreaterThan(0)
    await user.click(await button("I've Saved the Token"))
    await noDialog()
  })

  test('of an authenticator app is not shown by a URL', async () => {
    const factors = exampleOf('getSecondFactors')
    mock.handle({ getSecondFactors: () => ok({ ...factors, is_on: false, totp_since: null }) })
    openDashboard('#settings/two-factor?dialog=setup')
    expect(await button('Set Up Authenticator App')).toBeDefined()
    await hashIs('#settings/two-factor')
  })
})

test('Back asks before it closes a panel with changes', async () => {
  const user = openDashboard('#settings/api-keys')
  await user.click(await button('Edit router'))
  await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'attic')
  back()
  const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }))
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'attic')
  back()
  await user.click(await button('Discard Changes'))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull())
})
