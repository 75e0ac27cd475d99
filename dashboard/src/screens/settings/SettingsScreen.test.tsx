/** The frame of the settings, the profile, and the protection of unsaved changes. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const heading = async (name: string) => screen.findByRole('heading', { level: 1, name })
const firstName = async () => screen.findByRole('textbox', { name: 'First name' })
const save = () => screen.getByRole('button', { name: 'Update Profile' })

describe('the frame', () => {
  test('gives each section a URL, a title and a line in the menu', async () => {
    const hands = openDashboard('#settings')
    await heading('Profile Information')
    expect(location.hash).toBe('#settings/profile')
    const menu = within(screen.getByRole('navigation', { name: 'Settings' }))
    await hands.click(menu.getByRole('link', { name: 'Sessions' }))
    const title = await heading('Sessions')
    expect(document.activeElement).toBe(title)
    expect([location.hash, document.title]).toEqual([
      '#settings/sessions',
      'Sessions · Settings · Homing',
    ])
    expect(screen.getByRole('link', { name: 'Sessions', current: 'page' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'API documentation' })).toHaveProperty(
      'pathname',
      '/api/docs',
    )
    await hands.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await heading('Dashboard')
  })

  test('leads an unknown section to the first', async () => {
    openDashboard('#settings/nonsense')
    await heading('Profile Information')
    expect(location.hash).toBe('#settings/profile')
  })
})

describe('the profile', () => {
  test('is saved by Ctrl+S, once, when it has changed', async () => {
    const changed = { ...exampleOf('getMe'), given_name: 'Augusta' }
    mock.handle({ updateProfile: () => ok(changed) })
    const hands = openDashboard('#settings/profile')
    const field = await firstName()
    expect(save().getAttribute('aria-disabled')).toBe('true')
    await fill(hands, field, ' Augusta ')
    await hands.keyboard('{Control>}s{/Control}{Enter}')
    expect(await screen.findByText('Your profile was updated.')).toBeDefined()
    expect(mock.bodiesOf('updateProfile')).toEqual([{ given_name: 'Augusta', surname: '' }])
    await waitFor(() => expect(save().getAttribute('aria-disabled')).toBe('true'))
    expect(await firstName()).toHaveProperty('value', 'Augusta')
  })

  test('that the service refuses keeps what was typed, and shows the error at the field', async () => {
    const errors = [{ field: 'given_name', message: 'This name is too long.' }]
    mock.handle({ updateProfile: () => problem('validation-failed', { errors }) })
    const hands = openDashboard('#settings/profile')
    await fill(hands, await firstName(), 'Augusta')
    await hands.click(save())
    expect(await screen.findByText('This name is too long.')).toBeDefined()
    expect(document.activeElement).toBe(await firstName())
    expect(await firstName()).toHaveProperty('value', 'Augusta')
  })

  test('can be loaded again after an error', async () => {
    mock.handle({ getMe: () => problem('internal-error', { detail: 'Something broke.' }) })
    const hands = openDashboard('#settings/profile')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Something broke.Request request-1',
    )
    mock.handle({ getMe: () => ok(exampleOf('getMe')) })
    await hands.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await firstName()).toBeDefined()
  })
})

describe('unsaved changes', () => {
  async function typeAndLeave() {
    const hands = openDashboard('#settings/profile')
    await fill(hands, await firstName(), 'Augusta')
    await hands.click(screen.getByRole('link', { name: 'Sessions' }))
    return { hands, dialog: within(await screen.findByRole('dialog')) }
  }

  test('stay when the user cancels leaving', async () => {
    const { hands, dialog } = await typeAndLeave()
    await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await firstName()).toHaveProperty('value', 'Augusta')
    expect(location.hash).toBe('#settings/profile')
    const closing = new Event('beforeunload', { cancelable: true })
    fireEvent(window, closing)
    expect(closing.defaultPrevented).toBe(true)
  })

  test('are discarded on request', async () => {
    const { hands, dialog } = await typeAndLeave()
    await hands.click(dialog.getByRole('button', { name: 'Discard Changes' }))
    await heading('Sessions')
    expect(location.hash).toBe('#settings/sessions')
    const closing = new Event('beforeunload', { cancelable: true })
    fireEvent(window, closing)
    expect(closing.defaultPrevented).toBe(false)
  })
})
