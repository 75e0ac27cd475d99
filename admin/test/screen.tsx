/** Opens the back office as a browser does. */
import './mock.ts'
import { fireEvent, render, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { hands } from '../../test/screens.ts'
import { forgetSession } from '../src/access/session.ts'
import { App, createAdminRouter } from '../src/App.tsx'

let router: ReturnType<typeof createAdminRouter> | undefined

/** Opens a page below `/admin`. @returns the simulated keyboard and mouse */
export function open(path: string): UserEvent {
  history.replaceState(null, '', `/admin${path}`)
  router = createAdminRouter()
  render(<App router={router} />)
  return hands()
}

/** Resets the state of the page's modules: an open prompt, and the session. */
export function leave(): void {
  const question = screen.queryByRole('dialog', { name: 'Confirm it’s you' })
  if (question) fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  router?.dispose()
  router = undefined
  forgetSession()
  localStorage.clear()
  sessionStorage.clear()
}

/** The texts of a table's cells by row, without the header row. */
export const cells = (): string[][] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

export { fill } from '../../test/screens.ts'
