/** The screen of web forwards: the list, deleting, what a plan allows, and failures. */
import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { domain } from '../../../test/domains.ts'
import { forward, serveForwards, usageOf } from '../../../test/forwards.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'
import { queries } from '../../queries.ts'

const AT = '#webforward'
const SHOP = 'https://shop.example.com/start'
const home = domain()
const nas = domain({ id: '43', fqdn: 'nas.example.net' })

const button = async (name: string) => screen.findByRole('button', { name })
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))
const rowOf = async (fqdn: string) =>
  screen.findByRole('row', { name: (name) => name.startsWith(fqdn) })
const cellsOf = async (fqdn: string) =>
  within(await rowOf(fqdn))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

describe('the list', () => {
  test('shows where each domain leads, its type, code, hits, check and state', async () => {
    const last_checked_at = new Date(Date.now() - 3 * 3_600_000).toISOString()
    serveForwards({ forwards: [forward({ last_checked_at, hits_7d: 1_280 })] })
    openDashboard(AT)
    const target = within(await rowOf('home.example.net')).getByRole('link', { name: SHOP })
    expect(target).toHaveProperty('href', SHOP)
    expect(await cellsOf('home.example.net')).toEqual([
      'Redirect',
      '302',
      '1,280',
      'Reachable, 3 h ago',
      'Active',
      'EditDelete',
    ])
    expect(screen.getByRole('link', { name: 'home.example.net' })).toHaveProperty(
      'hash',
      '#domain/home.example.net?tab=forward',
    )
  })

  test('says why a forward acts otherwise than it is set', async () => {
    const names = ['framed', 'refused', 'paused', 'disabled', 'unserved']
    const made = (at: number, changes: object) =>
      forward({
        id: `${at + 1}`,
        domain_id: `${at + 1}`,
        fqdn: `${names[at]}.example.net`,
        ...changes,
      })
    serveForwards({
      domains: names.map((name, at) =>
        domain({
          id: `${at + 1}`,
          fqdn: `${name}.example.net`,
          withheld_by: name === 'unserved' ? ['paused'] : [],
        }),
      ),
      forwards: [
        made(0, { forwarding_type: 'stealth', uses_stealth_flag: true }),
        made(1, { forwarding_type: 'stealth', fallback: 'frames-refused' }),
        made(2, { is_active: false }),
        made(3, { disabled_reason: 'It copies a bank.', last_checked_at: null }),
        made(4, {}),
      ],
    })
    openDashboard(AT)
    const textOf = async (name: string) => (await rowOf(`${name}.example.net`)).textContent
    expect(await textOf('framed')).toMatch(/StealthNot used128/)
    expect(await textOf('refused')).toMatch(/show it in a frame, so visitors are redirected\..*302/)
    expect(await textOf('paused')).toContain('Paused')
    expect(await textOf('disabled')).toMatch(
      /disabled it: It copies a bank\. Please contact support\.Redirect302128Not yetDisabled$/,
    )
    expect(await textOf('unserved')).toContain('The domain is paused, so it is not forwarded.')
  })

  test.each([
    [[home], /^You have no web forwards\. Add one/, false],
    [[], /^You have no domains to forward\. Add a domain first\.$/, true],
  ] as const)('without forwards says what to do', async (domains, text, isDisabled) => {
    serveForwards({ forwards: [], domains })
    openDashboard(AT)
    expect(await button('Add Web Forwarding')).toHaveProperty('disabled', isDisabled)
    expect(document.querySelector('.forwards-empty')?.textContent).toMatch(text)
  })

  test('nothing can be added while every domain has a forward, and the reason is said', async () => {
    serveForwards({
      forwards: [forward()],
      domains: [home, domain({ id: '44', fqdn: '*.home.example.net', is_wildcard: true })],
    })
    openDashboard(`${AT}?dialog=add`)
    const add = await button('Add Web Forwarding')
    expect(add).toHaveProperty('disabled', true)
    const reason = document.getElementById(add.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('Every domain already has a forward.')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the plan', () => {
  test('counts what is used', async () => {
    serveForwards({ forwards: [forward()], usage: usageOf(10, 4) })
    openDashboard(AT)
    const tiles = (await screen.findByText('Stealth Flags Used')).closest('dl')
    expect(tiles?.textContent).toBe(
      'Web Forwards1 redirects are unlimitedStealth Flags Used4 of 10 in your planStealth Flags Left6 for new forwards',
    )
  })

  test('without web forwarding shows what larger plans have, and only deletes', async () => {
    const [pro] = exampleOf('listOfferedPlans')
    if (pro === undefined) throw new Error('the contract has an example')
    mock.handle({
      listOfferedPlans: () => ok([pro, { ...pro, id: 'elite', stealth_flag_limit: 50 }]),
    })
    const kept = serveForwards({ forwards: [forward()], usage: usageOf(0, 0, false) })
    const hands = openDashboard(AT)
    const upgrade = await screen.findByRole('link', { name: 'Upgrade to Pro' })
    expect(upgrade.getAttribute('href')).toBe('/pricing')
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        'Pro: 10 stealth flags',
        'Elite: 50 stealth flags',
        'Unlimited redirects',
      ]),
    )
    expect(screen.queryByRole('button', { name: 'Add Web Forwarding' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
    await hands.click(await button('Delete the forward of home.example.net'))
    await hands.click((await dialogOf('Delete web forwarding?')).getByText('Delete'))
    await waitFor(() => expect(kept).toEqual([]))
  })
})

describe('loading', () => {
  test('reads forwards, domains and usage together, and retries all of them', async () => {
    serveForwards({ forwards: [forward()] })
    const failure = problem('forbidden', { detail: 'You may not do this.' })
    mock.handle({ getWebForwardUsage: () => failure })
    const hands = openDashboard(AT)
    const alert = await screen.findByText('Failed to load data. You may not do this.')
    expect(alert.closest('[role="alert"]')?.textContent).toContain('Request request-1')
    serveForwards({ forwards: [forward()] })
    await hands.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await rowOf('home.example.net')).toBeDefined()
  })

  test('says that the device is offline, and keeps the data with its time', async () => {
    serveForwards({ forwards: [forward()] })
    openDashboard(AT)
    await rowOf('home.example.net')
    act(() => onlineManager.setOnline(false))
    act(() => void queries.invalidateQueries())
    expect(
      await screen.findByText(/^This device is offline\. The data below is from/),
    ).toBeDefined()
    expect(await rowOf('home.example.net')).toBeDefined()
    act(() => onlineManager.setOnline(true))
  })

  test('a forward of another client appears within half a minute', async () => {
    const due: (() => void)[] = []
    const real = globalThis.setInterval
    vi.spyOn(globalThis, 'setInterval').mockImplementation((run: () => void, ms?: number) => {
      if (ms === 30_000) due.push(run)
      return real(run, ms)
    })
    const kept = serveForwards({ forwards: [forward()], domains: [home, nas] })
    openDashboard(AT)
    await rowOf('home.example.net')
    kept.push(forward({ id: '10', domain_id: '43', fqdn: 'nas.example.net' }))
    act(() => due.forEach((run) => run()))
    expect(await rowOf('nas.example.net')).toBeDefined()
  })

  test('waits as long as the service asks', async () => {
    mock.handle({
      listWebForwards: () =>
        problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }),
    })
    openDashboard(AT)
    expect(await screen.findByText('Failed to load data. Too many.')).toBeDefined()
    expect(screen.getByRole('timer').textContent).toMatch(/^You can try again in \d\d s\.$/)
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  })
})

test('deleting asks first, and says what it did or why it failed', async () => {
  const kept = serveForwards({ forwards: [forward()] })
  const hands = openDashboard(AT)
  await hands.click(await button('Delete the forward of home.example.net'))
  const dialog = await dialogOf('Delete web forwarding?')
  expect(dialog.getByText('Are you sure you want to delete this web forwarding?')).toBeDefined()
  const detail = 'home.example.net is locked, so its web forward cannot be changed.'
  mock.handle({ deleteWebForward: () => problem('domain-locked', { detail }) })
  await hands.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await dialog.findByText(detail)).toBeDefined()
  serveForwards({ forwards: kept })
  await hands.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Web forwarding deleted successfully')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('row')).toBeNull())
})
