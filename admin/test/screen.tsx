/** The back office as a browser opens it. */
import './mock.ts'
import { fireEvent, render, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { hands } from '../../test/screens.ts'
import { forgetSession } from '../src/access/session.ts'
import { App, createAdminRouter } from '../src/App.tsx'

let router: ReturnType<typeof createAdminRouter> | undefined

/** Opens a page below `/admin`. @returns hands for the keyboard and the mouse */
export function open(path: string): UserEvent {
  history.replaceState(null, '', `/admin${path}`)
  router = createAdminRouter()
  render(<App router={router} />)
  return hands()
}

/** Puts away what modules of the page remember: a question that nobody answered, and the session. */
export function leave(): void {
  const question = screen.queryByRole('dialog', { name: 'Is it you?' })
  if (question) fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  router?.dispose()
  router = undefined
  forgetSession()
  localStorage.clear()
}

/** The texts of the cells of a table's rows, without the row of headings. */
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
