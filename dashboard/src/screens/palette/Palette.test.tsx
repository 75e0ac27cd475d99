/** The command palette, the shortcuts and their overview. */
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { ApiKey } from '../../api/api-keys.ts'
import { domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, listed, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const heading = async (name: string) => screen.findByRole('heading', { level: 1, name })
const FIELD = { name: /^Search actions/ }
const field = async () => screen.findByRole('combobox', FIELD)
const optionsOf = (name: string) =>
  within(screen.getByRole('group', { name }))
    .getAllByRole('option')
    .map((option) => option.querySelector('.palette-label')?.textContent)
const active = () => document.querySelector('[aria-selected="true"] .palette-label')?.textContent

async function openPalette(at = '#dashboard'): Promise<UserEvent> {
  serveDomains(domain(), domain({ id: '43', fqdn: 'nas.example.net' }))
  const user = openDashboard(at)
  await screen.findByRole('button', { name: 'Logout' })
  await user.keyboard('{Control>}k{/Control}')
  const input = await field()
  await waitFor(() => expect(document.activeElement).toBe(input))
  return user
}

describe('the palette', () => {
  test('offers the actions of the page before the places, and runs them by keyboard', async () => {
    const user = await openPalette()
    await waitFor(() =>
      expect(optionsOf('On this page')).toEqual([
        'Add Domain',
        'Import Domains',
        'Export Domains',
        'Search domains and addresses',
      ]),
    )
    expect(optionsOf('Go to')).toEqual(
      expect.arrayContaining([
        'Dashboard',
        'Web forwarding',
        'Sessions',
        'API documentation',
        'Logout',
      ]),
    )
    expect(screen.queryByRole('option', { name: /^Admin Panel/ })).toBeNull()
    expect(active()).toBe('Add Domain')
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowUp}{ArrowUp}')
    expect(active()).toBe('Logout')
    await user.keyboard('{ArrowDown}{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Add domain' })).toBeDefined()
    expect(location.hash).toBe('#dashboard?dialog=add')
  })

  test('on the page of a domain, offers its other parts', async () => {
    const user = await openPalette('#domain/home.example.net?tab=records')
    const field = await screen.findByRole('combobox', FIELD)
    await waitFor(() =>
      expect(optionsOf('On this page').filter((label) => label?.startsWith('Show '))).toEqual([
        'Show Overview',
        'Show History',
        'Show Update Calls',
        'Show Propagation',
        'Show Forward',
        'Show Monitor',
      ]),
    )
    await fill(user, field, 'propagation')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(location.hash).toBe('#domain/home.example.net?tab=propagation'))
  })

  test('finds settings by any of their words, and Escape returns the focus', async () => {
    const user = await openPalette()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('combobox', FIELD)).toBeNull())
    const button = screen.getByRole('button', { name: /^Search or go to/ })
    await user.click(button)
    await fill(user, await field(), 'settings login')
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
    await user.click(button)
    await fill(user, await field(), 'login act')
    await user.keyboard('{Enter}')
    await heading('Recent Login Activity')
  })

  test('finds domains and API keys at the service when typing pauses', async () => {
    const [key] = exampleOf('listApiKeys')
    mock.handle({
      listApiKeys: ({ query }) => listed([{ ...(key as ApiKey), name: 'nas key' }], query),
    })
    const user = await openPalette()
    await user.keyboard('nas')
    await waitFor(() => expect(optionsOf('Domains')).toEqual(['nas.example.net']))
    expect(await screen.findByRole('option', { name: /^nas key/ })).toBeDefined()
    const searches = mock.calls.flatMap(({ id, query }) =>
      id === 'listDomains' && JSON.stringify(query).includes('nas') ? [query] : [],
    )
    expect(searches).toEqual([{ sort: '["fqdn","ASC"]', range: '[0,4]', filter: '{"q":"nas"}' }])
    await user.click(screen.getByRole('option', { name: /^nas\.example\.net/ }))
    expect(location.hash).toBe('#domain/nas.example.net')
    await heading('nas.example.net')
  })

  test('says that nothing matches, and shows an error of the search', async () => {
    const me = exampleOf('getMe')
    mock.handle({ getMe: () => ok({ ...me, limits: { ...me.limits, abilities: [] } }) })
    const user = await openPalette()
    await user.keyboard('zzz')
    expect(await screen.findByText('Nothing matches “zzz”.')).toBeDefined()
    expect(mock.calls.some(({ id }) => id === 'listApiKeys')).toBe(false)
    mock.handle({ listDomains: () => problem('forbidden', { detail: 'Not for this account.' }) })
    await user.keyboard('y')
    const palette = within(screen.getByRole('dialog', { name: 'Command palette' }))
    expect((await palette.findByRole('alert')).textContent).toContain('Not for this account.')
  })
})

describe('shortcuts', () => {
  test('search, create and go; not where the user types', async () => {
    serveDomains(domain())
    const user = openDashboard()
    await screen.findByRole('row', { name: /^home/ })
    await user.keyboard('/')
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    await user.keyboard('c?gd')
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'c?gd')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.clear(screen.getByRole('searchbox'))
    ;(document.activeElement as HTMLElement).blur()
    await user.keyboard('c')
    const dialog = await screen.findByRole('dialog', { name: 'Add domain' })
    within(dialog).getByRole('button', { name: 'Cancel' }).focus()
    await user.keyboard('gs?')
    expect(location.hash).toContain('dialog=add')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    ;(document.activeElement as HTMLElement).blur()
    await user.keyboard('gk')
    await heading('API Keys')
    await user.keyboard('gd')
    await heading('Dashboard')
  })

  test('are listed for the screen, and can be turned off', async () => {
    serveDomains(domain())
    const user = openDashboard()
    await screen.findByRole('row', { name: /^home/ })
    await user.keyboard('?')
    const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    const here = within(dialog.getByRole('region', { name: 'On this screen' }))
    expect(here.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Add Domain',
      'Search domains and addresses',
    ])
    const rows = within(dialog.getByRole('region', { name: 'On a domain of the table' }))
    expect(rows.getByText('Pause or resume the domain').closest('div')?.textContent).toMatch(/P$/)
    expect(rows.getByText('Turn its monitor on or off').closest('div')?.textContent).toMatch(/M$/)
    await user.click(dialog.getByRole('checkbox', { name: 'Use shortcuts of single keys' }))
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('c?gs')
    expect([screen.queryByRole('dialog'), location.hash]).toEqual([null, '#dashboard'])
    await user.keyboard('{Control>}k{/Control}')
    await fill(user, await field(), 'keyboard settings')
    await user.keyboard('{Enter}')
    await heading('Keyboard Shortcuts')
    await user.click(await screen.findByRole('checkbox'))
    expect(localStorage.getItem('shortcuts')).toBeNull()
  })
})
