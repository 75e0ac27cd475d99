/** The form for a web forward: adding, the check of a target, editing. */
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
    expect(
      dialog.getByText(/^Browsers remember the redirect\. Choose 302 while you test\./),
    ).toBeDefined()
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
