/** The sign-in screen that the build writes: the app takes over the same elements, with what the user did meanwhile. */
import { act, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hands } from '../../../test/screens.ts'
import { exampleOf, mock, ok } from '../../test/mock.ts'
import { beginLocalSession, doubtSession } from '../api/session.ts'
import { App } from '../App.tsx'
import { isWritten } from '../places.ts'
import { keepPresses } from './presses.ts'
import { withScreen, writtenScreen } from './write.tsx'

const PAGE = `<head><script src="/assets/ahead-1.js"></script><script src="/assets/color-scheme-1.js"></script><title>Homing</title></head><div id="root"></div>`

/** Shows the written page, as a browser does before the scripts run. */
function showWritten(): HTMLElement {
  mock.caller = 'nobody'
  location.hash = '#login'
  const root = document.createElement('div')
  root.innerHTML = writtenScreen().markup
  document.body.append(root)
  keepPresses()
  return root
}

/** @returns the errors from which React recovered: it then replaces elements */
async function runApp(root: HTMLElement): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  )
  const options = { onRecoverableError: (error: unknown) => void errors.push(error) }
  const page = await act(async () => hydrateRoot(root, app, options))
  onTestFinished(() => {
    act(() => page.unmount())
    root.remove()
  })
  return errors
}

const username = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Username or email' })
const password = () => screen.getByLabelText<HTMLInputElement>('Password')

test('typed text, the focus and the elements stay; a pressed button works', async () => {
  const root = showWritten()
  const kept = [username(), password()]
  username().value = 'ada'
  password().value = 'correct horse'
  password().focus()
  screen.getByRole('button', { name: 'Sign In' }).click()
  expect(document.documentElement.dataset['pressed']).toBe('')
  const login = vi.fn(() => ok(exampleOf('completeLogin')))
  mock.handle({ login })
  expect(await runApp(root)).toEqual([])
  expect([username(), password()]).toEqual(kept)
  expect(document.activeElement).toBe(password())
  await waitFor(() =>
    expect(mock.bodiesOf('login')).toEqual([
      { username_or_email: 'ada', password: 'correct horse' },
    ]),
  )
  expect(document.documentElement.dataset['pressed']).toBeUndefined()
})

test('text that is typed later is added', async () => {
  const root = showWritten()
  username().value = 'ad'
  username().focus()
  await runApp(root)
  await hands().keyboard('a')
  expect(username().value).toBe('ada')
})

test('a passkey is not offered, and an ended session not reported, where the browser has none', async () => {
  const root = showWritten()
  expect(screen.getByRole('button', { name: 'Sign in with a passkey' })).toBeDefined()
  await runApp(root)
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  expect(screen.queryByText(/^Your session has ended\./)).toBeNull()
})

test('a stored user without a session signs in again, and storage keeps the user until the service answers', async () => {
  const root = showWritten()
  beginLocalSession(exampleOf('completeLogin'))
  doubtSession()
  await runApp(root)
  expect(screen.getByText(/^Your session has ended\./)).toBeDefined()
  expect(localStorage.getItem('user')).not.toBeNull()
})

test.each([
  ['', true],
  ['#login?next=settings', true],
  ['#settings/profile', true],
  ['#register', false],
  ['#verify-email/token', false],
  ['#unknown', false],
])('at %j, the sign-in screen is what a visitor gets: %s', (hash, isIt) => {
  expect(isWritten(hash)).toBe(isIt)
})

test('a page of the app without a place for the screen fails the build', () => {
  const files = { style: '/assets/s.css', start: '/assets/e.js' }
  const made = withScreen(PAGE, { markup: '<p>here</p>', styles: '' }, files)
  expect(made).toContain('<div id="root"><p>here</p></div>')
  expect(made).toContain('<script src="/assets/e.js"></script>')
  expect(made).toContain('<link rel="stylesheet" href="/assets/s.css"></head>')
  expect(() => withScreen('<p></p>', { markup: '', styles: '' }, files)).toThrow(/has no/)
})
