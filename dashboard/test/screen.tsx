/** Opens the dashboard as a browser does. */
import './mock.ts'
import { fireEvent, render, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beginLocalSession, endLocalSession, type StoredUser } from '../src/api/session.ts'
import { App } from '../src/App.tsx'
import { showOverlay } from '../src/keyboard/overlay.ts'
import { hands } from '../../test/screens.ts'
import { mock } from './mock.ts'

const ADA: StoredUser = {
  id: '7',
  username: 'ada',
  email: 'ada@example.net',
  account_type: 'pro',
  plan: 'pro',
}

interface Opened {
  /** The fragment of the page's URL. */
  readonly at?: string
  /** Undefined if no user is signed in. */
  readonly user?: StoredUser | undefined
}

/** Opens a page. @returns the simulated keyboard and mouse */
function open({ at, user }: Required<Opened>): UserEvent {
  if (user === undefined) mock.caller = 'nobody'
  else beginLocalSession(user)
  location.hash = at
  render(<App />)
  return hands()
}

export const openSignIn = (at = '#login') => open({ at, user: undefined })
export const openDashboard = (at = '#dashboard') => open({ at, user: ADA })

/** Resets the state of the page's modules: an open prompt, notices, the palette, the session and its cached data. */
export function leave(): void {
  const question = screen.queryByRole('dialog', { name: 'Confirm It’s You' })
  if (question) fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  for (const button of screen.queryAllByRole('button', { name: 'Dismiss' })) fireEvent.click(button)
  showOverlay()
  endLocalSession('logged-out')
  localStorage.clear()
  sessionStorage.clear()
}

export { fill } from '../../test/screens.ts'
