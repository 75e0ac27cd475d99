/** The screen of web forwards: the list, adding, editing, deleting, and what a plan allows. */
import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { domain } from '../../../test/domains.ts'
import { forward, serveForwards, usageOf } from '../../../test/forwards.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

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

  test('without forwards says what one is for; without domains leads to the dashboard', async () => {
    serveForwards({ forwards: [] })
    openDashboard(AT)
    expect(await screen.findByText(/^You have no web forwards\./)).toBeDefined()
    serveForwards({ forwards: [], domains: [] })
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    await waitFor(() =>
      expect(screen.queryByText(/^You have no domains to forward\./)).not.toBeNull(),
    )
    expect(await button('Add Web Forwarding')).toHaveProperty('disabled', true)
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
    act(() => void window.dispatchEvent(new Event('visibilitychange')))
    expect(
      await screen.findByText(/^This device is offline\. The data below is from/),
    ).toBeDefined()
    expect(await rowOf('home.example.net')).toBeDefined()
    act(() => onlineManager.setOnline(true))
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

describe('adding', () => {
  test('offers the domains without a forward, and shows where two sample paths lead', async () => {
    const kept = serveForwards({ forwards: [forward()], domains: [home, nas] })
    const hands = openDashboard(AT)
    await hands.click(await button('Add Web Forwarding'))
    expect(location.hash).toBe(`${AT}?dialog=add`)
    const dialog = await dialogOf('Add web forwarding')
    const domains = within(dialog.getByLabelText('Domain')).getAllByRole('option')
    expect(domains.map(({ textContent }) => textContent)).toEqual(['nas.example.net'])
    expect(dialog.getByLabelText('Status code')).toHaveProperty('value', '301')
    expect(dialog.getByText(/^Browsers keep it; choose 302 while trying\./)).toBeDefined()
    const add = dialog.getByRole('button', { name: 'Add Web Forwarding' })
    expect(add).toHaveProperty('disabled', true)

    await fill(hands, dialog.getByLabelText('Target URL'), 'shop.example.com/start?from=nas')
    const result = () => dialog.getByRole('region', { name: 'Result' }).textContent
    expect(result()).toBe(
      'Location of the 301 redirect' +
        'nas.example.net/https://shop.example.com/start?from=nas' +
        'nas.example.net/blog/first?page=2https://shop.example.com/start/blog/first?from=nas&page=2',
    )
    await hands.click(dialog.getByLabelText('Keep the path'))
    await hands.click(dialog.getByLabelText('Keep the query'))
    expect(result()).toMatch(/page=2https:\/\/shop\.example\.com\/start\?from=nas$/)

    await hands.click(add)
    expect(await screen.findByText('Web forwarding created successfully')).toBeDefined()
    expect(mock.bodiesOf('createWebForward')).toEqual([
      {
        domain_id: '43',
        target_url: 'shop.example.com/start?from=nas',
        forwarding_type: 'redirect',
        status_code: 301,
        title: null,
        description: null,
        keywords: null,
        forward_path: false,
        forward_query: false,
        is_active: true,
      },
    ])
    expect(kept).toHaveLength(2)
    expect(await rowOf('nas.example.net')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('a stealth forward has texts and their preview, and its warning is said for five seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    const warning = 'The target does not allow other sites to show it in a frame.'
    serveForwards({ forwards: [], domains: [home, nas], warning })
    const hands = openDashboard(`${AT}?dialog=add`)
    const dialog = await dialogOf('Add web forwarding')
    expect(dialog.queryByLabelText('Title (optional)')).toBeNull()
    await hands.selectOptions(dialog.getByLabelText('Domain'), 'nas.example.net')
    await fill(hands, dialog.getByLabelText('Target URL'), SHOP)
    await hands.click(dialog.getByRole('radio', { name: /^Stealth/ }))
    const preview = dialog.getByRole('region', { name: 'Preview of the page' })
    expect(preview.textContent).toMatch(/^nas\.example\.netnas\.example\.netWithout a description/)
    await fill(hands, dialog.getByLabelText('Title (optional)'), '<b>Shop</b>')
    await fill(hands, dialog.getByLabelText('Description (optional)'), 'Everything.')
    expect(preview.textContent).toBe('nas.example.net<b>Shop</b>Everything.')
    await hands.click(dialog.getByRole('button', { name: 'Add Web Forwarding' }))
    const notice = `Web forwarding created. Note: ${warning}`
    expect(await screen.findByText(notice)).toBeDefined()
    expect(mock.bodiesOf('createWebForward')).toMatchObject([
      {
        forwarding_type: 'stealth',
        title: '<b>Shop</b>',
        description: 'Everything.',
        keywords: null,
      },
    ])
    act(() => void vi.advanceTimersByTime(5_000))
    expect(screen.queryByText(notice)).toBeNull()
  })

  test('stealth says why it cannot be chosen when no flag is left', async () => {
    serveForwards({ forwards: [], usage: usageOf(10, 10) })
    openDashboard(`${AT}?dialog=add`)
    const dialog = await dialogOf('Add web forwarding')
    const stealth = dialog.getByRole('radio', { name: /^Stealth/ })
    expect(stealth).toHaveProperty('disabled', true)
    expect(dialog.getByText('All 10 stealth flags of your plan are used.')).toBeDefined()
  })

  test('a refusal of the target is at its field, others are above the form', async () => {
    serveForwards({ forwards: [] })
    const message = '10.0.0.1 is a private address. Use a public address or a host name.'
    mock.handle({
      createWebForward: () =>
        problem('target-not-allowed', {
          detail: message,
          errors: [{ field: 'target_url', message }],
        }),
    })
    const hands = openDashboard(`${AT}?dialog=add`)
    const dialog = await dialogOf('Add web forwarding')
    const target = dialog.getByLabelText('Target URL')
    await fill(hands, target, '10.0.0.1')
    const send = async () => hands.click(dialog.getByRole('button', { name: 'Add Web Forwarding' }))
    await send()
    expect((await dialog.findByRole('alert')).textContent).toBe(message)
    expect(target.getAttribute('aria-invalid')).toBe('true')
    const detail = 'home.example.net already has a web forward. Change it instead.'
    mock.handle({ createWebForward: () => problem('conflict', { detail }) })
    await send()
    expect(await dialog.findByText(detail)).toBeDefined()
    expect(target).toHaveProperty('value', '10.0.0.1')
  })
})

describe('the check', () => {
  const openForm = async () => {
    serveForwards({ forwards: [] })
    const hands = openDashboard(`${AT}?dialog=add`)
    const dialog = await dialogOf('Add web forwarding')
    const check = () => dialog.getByRole('button', { name: 'Check Target' })
    return { hands, dialog, check, target: dialog.getByLabelText('Target URL') }
  }

  test('shows each hop and names the fallback, until the target changes', async () => {
    const { hands, dialog, check, target } = await openForm()
    mock.handle({
      checkWebForward: () =>
        ok({
          ...exampleOf('checkWebForward'),
          hops: [
            { url: 'https://a.example.com/', status: 301 },
            { url: 'https://b.example.com/', status: 200 },
          ],
          frames: 'refused',
          fallback: 'frames-refused',
        }),
    })
    await hands.click(check())
    expect(mock.bodiesOf('checkWebForward')).toEqual([])
    await fill(hands, target, 'a.example.com')
    await hands.click(check())
    expect(
      await dialog.findByText('The target answers with status 200.', { exact: false }),
    ).toBeDefined()
    expect(mock.bodiesOf('checkWebForward')).toEqual([
      { target_url: 'a.example.com', domain_id: '42' },
    ])
    const hops = within(dialog.getByRole('list', { name: 'Way to the target' }))
    expect(hops.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'https://a.example.com/ 301',
      'https://b.example.com/ 200',
    ])
    const fallback = /show it in a frame, so visitors are redirected\./
    expect(dialog.queryByText(fallback)).toBeNull()
    await hands.click(dialog.getByRole('radio', { name: /^Stealth/ }))
    expect(dialog.getByText(fallback)).toBeDefined()
    await hands.type(target, '/x')
    expect(dialog.queryByText(fallback)).toBeNull()
  })

  test('is refused with the reason, and waits as long as the service asks', async () => {
    const { hands, dialog, check, target } = await openForm()
    await fill(hands, target, SHOP)
    mock.handle({ checkWebForward: () => problem('target-not-allowed', { detail: 'Not this.' }) })
    await hands.click(check())
    expect(await dialog.findByText('Not this.')).toBeDefined()
    mock.handle({
      checkWebForward: () =>
        problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }),
    })
    await hands.click(check())
    const held = await dialog.findAllByRole('button', { name: /^Try again in \d\d s$/ })
    // Saving checks the target too, within the same limit.
    expect(held).toHaveLength(2)
    await hands.click(held[0] as HTMLElement)
    expect(mock.bodiesOf('checkWebForward')).toHaveLength(2)
  })
})

describe('editing', () => {
  test('sends what changed for the version that was seen; the domain stays', async () => {
    const kept = serveForwards({ forwards: [forward()], usage: usageOf(10, 10) })
    const hands = openDashboard(AT)
    await hands.click(await button('Edit the forward of home.example.net'))
    expect(location.hash).toBe(`${AT}?dialog=edit&id=9`)
    const dialog = await dialogOf('Edit the forward of home.example.net')
    expect(dialog.queryByLabelText('Domain')).toBeNull()
    const save = dialog.getByRole('button', { name: 'Save Changes' })
    expect(save).toHaveProperty('disabled', true)
    await hands.selectOptions(dialog.getByLabelText('Status code'), '308')
    await hands.click(dialog.getByLabelText('Active'))
    await hands.click(save)
    expect(await screen.findByText('Web forwarding updated successfully')).toBeDefined()
    expect(mock.bodiesOf('updateWebForward')).toEqual([{ status_code: 308, is_active: false }])
    await waitFor(async () => expect((await cellsOf('home.example.net'))[4]).toBe('Paused'))
    expect(kept[0]?.version).toBe(2)
  })

  test('a stealth forward keeps its flag, and loses its texts when it becomes a redirect', async () => {
    const stealth = forward({ forwarding_type: 'stealth', title: 'Shop' })
    serveForwards({ forwards: [stealth], usage: usageOf(10, 10) })
    const hands = openDashboard(`${AT}?dialog=edit&id=9`)
    const dialog = await dialogOf('Edit the forward of home.example.net')
    expect(dialog.getByRole('radio', { name: /^Stealth/ })).toHaveProperty('disabled', false)
    await hands.click(dialog.getByRole('radio', { name: /^Redirect/ }))
    await hands.click(dialog.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Web forwarding updated successfully')
    expect(mock.bodiesOf('updateWebForward')).toEqual([
      { forwarding_type: 'redirect', title: null },
    ])
  })

  test('shows the version of another client, and saves over it when the user wants it', async () => {
    const kept = serveForwards({ forwards: [forward()] })
    const hands = openDashboard(`${AT}?dialog=edit&id=9`)
    const dialog = await dialogOf('Edit the forward of home.example.net')
    kept[0] = forward({ target_url: 'https://other.example.com/', version: 2 })
    await fill(hands, dialog.getByLabelText('Target URL'), 'https://mine.example.com/')
    await hands.click(dialog.getByRole('button', { name: 'Save Changes' }))
    expect((await dialog.findByRole('alert')).textContent).toContain(
      'Now: https://other.example.com/, Redirect, 302, Active.',
    )
    await hands.click(await dialog.findByRole('button', { name: 'Save Mine' }))
    await screen.findByText('Web forwarding updated successfully')
    expect(kept[0]).toMatchObject({ target_url: 'https://mine.example.com/', version: 3 })
  })

  test('asks before Back loses what was typed', async () => {
    serveForwards({ forwards: [forward()] })
    const hands = openDashboard(AT)
    await hands.click(await button('Edit the forward of home.example.net'))
    const dialog = await dialogOf('Edit the forward of home.example.net')
    await hands.type(dialog.getByLabelText('Target URL'), '/x')
    act(() => history.back())
    expect(await screen.findByRole('dialog', { name: 'Discard your changes?' })).toBeDefined()
    await hands.click(screen.getByRole('button', { name: 'Discard Changes' }))
    await waitFor(() => expect(location.hash).toBe(AT))
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
