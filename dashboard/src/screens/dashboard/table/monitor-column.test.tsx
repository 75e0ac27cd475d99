/** The monitors in the list of domains, and the card above it. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { monitor } from '../../../../test/monitors.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const rowOf = async (fqdn: string) => screen.findByRole('row', { name: fqdn })
const cellOf = async (fqdn: string) => {
  const cells = within(await rowOf(fqdn)).getAllByRole('cell')
  return cells.find((cell) => cell.getAttribute('data-label') === 'Monitoring')
}
const switchOf = (fqdn: string) =>
  screen.findByRole<HTMLButtonElement>('switch', { name: `Monitor ${fqdn}` })
const me = exampleOf('getMe')
const servePlan = (abilities: string[]) =>
  mock.handle({ getMe: () => ok({ ...me, limits: { ...me.limits, abilities } }) })

beforeEach(() => servePlan(['uptime']))

describe('a row', () => {
  test.each([
    [{ monitor_kind: 'https', monitor_state: 'up' }, 'Uphttps'],
    [{ monitor_kind: 'tcp', monitor_port: 22, monitor_state: 'down' }, 'Downtcp 22'],
    [{ monitor_kind: 'tcp', monitor_state: 'unknown' }, 'Unknowntcp 443'],
    [
      { monitor_kind: 'http', monitor_port: 8080, monitor_state: 'maintenance' },
      'Maintenancehttp 8080',
    ],
    [{ monitor_state: 'pending' }, 'Pendinglooking…'],
    [{ monitor_state: 'undecided' }, 'No answerchoose what to check'],
    [{ monitor_enabled: false, monitor_kind: 'https', monitor_state: 'off' }, 'Off'],
  ] as const)('%j shows %s', async (fields, text) => {
    serveDomains(domain({ monitor_enabled: true, ...fields }))
    openDashboard()
    expect((await cellOf('home.example.net'))?.textContent).toBe(text)
  })

  test('is turned on at once, and off again if the service refuses', async () => {
    serveDomains(domain())
    const answer = Promise.withResolvers<void>()
    mock.handle({
      async setMonitoring() {
        await answer.promise
        return problem('conflict', { detail: 'Not now.' })
      },
    })
    const hands = openDashboard()
    await hands.click(await switchOf('home.example.net'))
    expect((await switchOf('home.example.net')).getAttribute('aria-checked')).toBe('true')
    expect((await cellOf('home.example.net'))?.textContent).toBe('Pendinglooking…')
    answer.resolve()
    expect(await screen.findByText('home.example.net: Not now.')).toBeDefined()
    expect((await switchOf('home.example.net')).getAttribute('aria-checked')).toBe('false')
  })

  test('shows what the service answers, and is turned by the letter M', async () => {
    const rows = serveDomains(domain())
    mock.handle({
      setMonitoring({ body }) {
        const set = monitor({ is_enabled: body.enable, state: body.enable ? 'up' : 'off' })
        rows[0] = domain({
          monitor_enabled: body.enable,
          monitor_kind: 'https',
          monitor_state: set.state,
        })
        return ok(set)
      },
    })
    const hands = openDashboard()
    const row = await rowOf('home.example.net')
    row.focus()
    await hands.keyboard('m')
    await waitFor(async () =>
      expect((await cellOf('home.example.net'))?.textContent).toBe('Uphttps'),
    )
    await hands.keyboard('m')
    await waitFor(async () => expect((await cellOf('home.example.net'))?.textContent).toBe('Off'))
    expect(mock.bodiesOf('setMonitoring')).toEqual([{ enable: true }, { enable: false }])
  })

  test('says why a monitor cannot be turned on', async () => {
    serveDomains(
      domain({ id: '1', fqdn: '*.example.net', is_wildcard: true }),
      domain({ id: '2', fqdn: 'locked.example.net', is_active: false, withheld_by: ['locked'] }),
    )
    openDashboard()
    expect((await cellOf('*.example.net'))?.textContent).toBe('A wildcard has no monitor')
    expect(within(await rowOf('*.example.net')).queryByRole('switch')).toBeNull()
    expect(await switchOf('locked.example.net')).toHaveProperty('disabled', true)
    expect((await cellOf('locked.example.net'))?.textContent).toBe('Locked by an administrator')
  })

  test('on a plan without monitors can only be turned off', async () => {
    servePlan([])
    serveDomains(
      domain({ id: '1', fqdn: 'a.example.net' }),
      domain({ id: '2', fqdn: 'b.example.net', monitor_enabled: true, monitor_state: 'stopped' }),
    )
    const hands = openDashboard()
    await waitFor(async () =>
      expect((await cellOf('a.example.net'))?.textContent).toBe('Not in your plan'),
    )
    expect(await switchOf('a.example.net')).toHaveProperty('disabled', true)
    expect(await switchOf('b.example.net')).toHaveProperty('disabled', false)
    await hands.click(screen.getByRole('button', { name: 'Actions for a.example.net' }))
    expect(screen.queryByRole('menuitem', { name: 'Turn Monitor On' })).toBeNull()
  })
})

describe('the card', () => {
  const summary = exampleOf('getUptimeSummary')
  const none = {
    overall_uptime_24h: null,
    uptime_by_hour: Array.from({ length: 24 }, () => null),
    overall_uptime_7d: null,
    overall_uptime_30d: null,
    domains_monitored: 0,
    domains_up: 0,
    domains_down: 0,
  }
  const card = async (name: string) => {
    const strip = within(await screen.findByRole('navigation', { name: 'Overview' }))
    return strip.findByRole<HTMLAnchorElement>('link', { name })
  }

  test.each([
    [
      { ...summary, overall_uptime_24h: 99.9 },
      'Uptime 99.90% 1 domain down',
      '#dashboard?q=monitor%3Adown',
    ],
    [
      { ...summary, domains_down: 3 },
      'Uptime 99.97% 3 domains down',
      '#dashboard?q=monitor%3Adown',
    ],
    [
      { ...summary, domains_down: 0 },
      'Uptime 99.97% 24 h, 12 monitors',
      '#dashboard?q=monitor%3Aon',
    ],
    [none, 'Uptime No monitors yet turn one on in the list', '#dashboard'],
    [
      { ...none, domains_monitored: 1 },
      'Uptime No data yet 24 h, 1 monitor',
      '#dashboard?q=monitor%3Aon',
    ],
  ])('%j', async (answer, name, hash) => {
    serveDomains(domain())
    mock.handle({ getUptimeSummary: () => ok(answer) })
    openDashboard()
    const link = await card(name)
    expect(link.hash).toBe(hash)
    const hasLine = link.parentElement?.querySelector('.sparkline-line') !== null
    expect(hasLine).toBe(answer.overall_uptime_24h !== null)
  })

  test('leads to the plans that have monitors', async () => {
    servePlan([])
    serveDomains(domain())
    openDashboard()
    const name = 'Uptime Not included monitors need the Pro plan'
    expect((await card(name)).pathname).toBe('/pricing')
    expect(mock.calls.some(({ id }) => id === 'getUptimeSummary')).toBe(false)
  })
})
