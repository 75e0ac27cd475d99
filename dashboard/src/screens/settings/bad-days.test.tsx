/** What every section of the settings does when the service, the network, or the session fails. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { onlineManager } from '@tanstack/react-query'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buttonOf } from '../../../test/forms.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'
import { serveSections, SETTINGS, type SettingsSection } from '../../../test/settings-sections.ts'

type Change = NonNullable<SettingsSection['change']>
type Read = SettingsSection & Required<Pick<SettingsSection, 'reads'>>
type Changed = SettingsSection & { readonly change: Change }

beforeEach(serveSections)

const broken = () => Promise.reject(new TypeError('Failed to fetch'))
const open = ({ id }: SettingsSection) => openDashboard(`#settings/${id}`)

/** The pauses between the tries of a read. */
function withoutPauses(): () => void {
  const real = globalThis.setTimeout
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((run: () => void, ms?: number, ...rest: []) =>
      real(run, ms === 1_000 || ms === 2_000 ? 0 : ms, ...rest),
    )
  return () => spy.mockRestore()
}

describe('reading', () => {
  const SECTIONS = SETTINGS.filter((section): section is Read => section.reads !== undefined)

  test.each(SECTIONS)(
    '$id without a network, without the service, and then with it',
    async (section) => {
      const restore = withoutPauses()
      const answer = (how: () => unknown) => mock.handle({ [section.reads]: how as typeof broken })
      answer(broken)
      onlineManager.setOnline(false)
      const hands = open(section)
      // A section can have several parts, each with its own call.
      expect((await screen.findAllByText(/^This device is offline\./)).length).toBeGreaterThan(0)
      act(() => onlineManager.setOnline(true))
      expect(await screen.findByText(/^Network error/)).toBeDefined()
      answer(() => problem('internal-error', { detail: 'Something failed.' }))
      await hands.click(screen.getByRole('button', { name: 'Retry' }))
      const failure = await screen.findByText('Something failed.')
      expect(failure.closest('[role="alert"]')?.textContent).toContain('Request request-1')
      restore()
      answer(() => ok(exampleOf(section.reads)))
      await hands.click(screen.getByRole('button', { name: 'Retry' }))
      expect((await screen.findAllByText(section.text)).length).toBeGreaterThan(0)
    },
  )
})

const typed = () =>
  [...document.querySelectorAll('input, textarea')].map(
    (field) => (field as HTMLInputElement).value,
  )

async function signIn(hands: UserEvent): Promise<void> {
  const dialog = within(await screen.findByRole('dialog', { name: 'Sign in again' }))
  mock.handle({
    login() {
      mock.caller = 'user'
      return ok(exampleOf('login'))
    },
  })
  await fill(hands, dialog.getByLabelText('Password'), 'correct horse')
  await hands.click(dialog.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sign in again' })).toBeNull())
}

async function expectFieldError(label: string): Promise<void> {
  expect(await screen.findByText('This is refused.')).toBeDefined()
  const wrong = screen.getAllByLabelText(label).at(-1)
  expect(wrong?.getAttribute('aria-invalid')).toBe('true')
}

describe('changing', () => {
  const SECTIONS = SETTINGS.filter((section): section is Changed => section.change !== undefined)

  test.each(SECTIONS)('$id keeps what was typed, and says what to do', async (section) => {
    const { sends, button, prepare, field, isRead = false } = section.change
    const hands = open(section)
    expect((await screen.findAllByText(section.text)).length).toBeGreaterThan(0)
    await prepare?.(hands)
    const before = typed()
    const refuse = async (answer: () => ReturnType<typeof problem> | Promise<never>) => {
      mock.handle({ [sends]: answer })
      await waitFor(() => expect(buttonOf(button).getAttribute('aria-disabled')).not.toBe('true'))
      await hands.click(buttonOf(button))
    }

    await refuse(broken)
    expect((await screen.findByRole('alert')).textContent).toContain('Network error')
    await refuse(() => problem('internal-error', { detail: 'Something failed.' }))
    const failure = await screen.findByText('Something failed.')
    expect(failure.closest('[role="alert"]')?.textContent).toContain('Request request-1')
    await refuse(() => problem('forbidden', { detail: 'You may not do this.' }))
    expect(await screen.findByText('You may not do this.')).toBeDefined()
    if (field !== undefined) {
      const errors = [{ field: field[0], message: 'This is refused.' }]
      await refuse(() => problem('validation-failed', { errors }))
      await expectFieldError(field[1])
    }
    expect(typed()).toEqual(before)

    mock.caller = 'nobody'
    await refuse(broken)
    await signIn(hands)
    // The app repeats a call that reads, and this one fails again.
    const after = isRead
      ? /^Network error/
      : /^You are signed in again\. Your change was not sent\./
    expect(await screen.findByText(after)).toBeDefined()
    expect(typed()).toEqual(before)

    await refuse(() => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }))
    const held = await screen.findByRole('button', { name: /^Try again in \d+ s$/ })
    expect(held.getAttribute('aria-disabled')).toBe('true')
    expect(typed()).toEqual(before)
  })
})
