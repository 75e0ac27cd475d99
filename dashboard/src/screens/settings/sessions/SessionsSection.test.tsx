import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import type { Session } from '../../../api/sessions.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const [here] = exampleOf('listSessions') as [Session]
const phone: Session = {
  ...here,
  id: '13',
  client:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  cc: null,
  is_current: false,
}

/** The sessions, which the calls change. */
let sessions: Session[]

beforeEach(() => {
  sessions = [phone, here]
  mock.handle({
    listSessions: () => ok(sessions),
    endSession({ params }) {
      sessions = sessions.filter(({ id }) => id !== params.id)
      return ok()
    },
    endOtherSessions() {
      sessions = [here]
      return ok()
    },
  })
})

const rows = () => within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem')

test('sessions are listed with device and place, this one first, and another can be signed out', async () => {
  const hands = openDashboard('#settings/sessions')
  await screen.findByRole('list', { name: 'Sessions' })
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Firefox on Linux This session.*Sweden · 198\.51\.100\.7/),
    expect.stringMatching(/^Safari on iPhone Unknown/),
  ])
  await hands.click(screen.getByRole('button', { name: /^Sign out Safari on iPhone/ }))
  expect(await screen.findByText('Safari on iPhone was signed out.')).toBeDefined()
  expect(rows().length).toBe(1)
})

test('all others end after a question', async () => {
  const hands = openDashboard('#settings/sessions')
  await hands.click(await screen.findByRole('button', { name: 'Sign Out All Others' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^One other session ends at once\./)).toBeDefined()
  await hands.click(dialog.getByRole('button', { name: 'Sign Out All Others' }))
  expect(await screen.findByText('You have no other sessions.')).toBeDefined()
})

test('a session that cannot be ended stays, with the reason', async () => {
  mock.handle({ endSession: () => problem('internal-error', { detail: 'Something broke.' }) })
  const hands = openDashboard('#settings/sessions')
  await hands.click(await screen.findByRole('button', { name: /^Sign out Safari on iPhone/ }))
  expect(
    await screen.findByText('Safari on iPhone is still signed in. Something broke.'),
  ).toBeDefined()
  await waitFor(() => expect(rows().length).toBe(2))
})
