/** The monitor on the page of its domain. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import {
  monitor,
  monitored,
  noMonitor,
  partsUntil,
  serveMonitor,
} from '../../../../test/monitors.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const AT = '#domain/home.example.net?tab=monitor'
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))
const button = (name: string) => screen.findByRole('button', { name })

describe('the state', () => {
  test('says since when and why, what is checked, and the percentages', async () => {
    serveMonitor({
      monitor: monitor({
        state: 'down',
        kind: 'tcp',
        port: 22,
        cause: 'refused',
        cause_text: 'The server refused the connection.',
        state_since: new Date(Date.now() - 270_500).toISOString(),
        uptime_90d: null,
      }),
    })
    openDashboard(AT)
    const shown = await card('Monitor')
    expect(
      shown.getByText(/^Down since .*, for 4 min 3\d s\. The server refused the connection\.$/),
    ).toBeDefined()
    expect(shown.getByText('Connects to TCP port 22 every 60 seconds.')).toBeDefined()
    expect(shown.getByText('24 hours').closest('dl')?.textContent).toBe(
      '24 hours99.68%7 days99.96%30 days99.99%90 daysNo data',
    )
  })

  test.each([
    [noMonitor(), /^The monitor is off\./],
    [monitor({ kind: null, state: 'pending' }), /^Homing looks for what answers: https, http,/],
    [monitor({ state: 'pending' }), 'The first check is on its way.'],
    [monitor({ state: 'unknown' }), /^Unknown since .* This time counts neither as up nor as down/],
    [monitor({ state: 'maintenance' }), /^In maintenance since .* no mail is sent\.$/],
    [
      monitor({ state: 'stopped', stopped_by: 'administrator', stop_reason: 'Port scan.' }),
      'An administrator stopped it. The reason: Port scan. Please contact support.',
    ],
    [monitor({ state: 'stopped', stopped_by: 'withheld' }), /because DNS does not serve/],
  ])('%#', async (shown, text) => {
    serveMonitor({ monitor: shown })
    openDashboard(AT)
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('a monitor that is turned on shows it at once, and takes it back if the service refuses', async () => {
    serveMonitor({ monitor: noMonitor() })
    const hands = openDashboard(AT)
    const answer = Promise.withResolvers<void>()
    mock.handle({
      async setMonitoring() {
        await answer.promise
        return problem('domain-locked')
      },
    })
    const turn = () => screen.findByRole('switch', { name: 'Monitor home.example.net' })
    await hands.click(await turn())
    expect((await turn()).getAttribute('aria-checked')).toBe('true')
    expect(screen.getByText(/^Homing looks for what answers/)).toBeDefined()
    answer.resolve()
    await waitFor(async () => expect((await turn()).getAttribute('aria-checked')).toBe('false'))
    expect(await screen.findByText(/^home\.example\.net: /)).toBeDefined()
  })
})

describe('the settings', () => {
  test('a monitor that found nothing asks what to check, with the fields of the kind only', async () => {
    const kept = serveMonitor({ monitor: monitor({ kind: null, state: 'undecided' }) })
    const hands = openDashboard(AT)
    await hands.click(await button('Choose What to Check'))
    const form = await dialogOf('Monitor of home.example.net')
    expect(form.queryByLabelText('Port')).toBeNull()
    await hands.click(form.getByRole('radio', { name: /^TCP port/ }))
    expect(form.queryByLabelText('Path')).toBeNull()
    await fill(hands, form.getByLabelText('Port'), '22')
    expect(form.getByLabelText('Check every').textContent).toMatch(/^60 seconds2 minutes/)
    await hands.click(form.getByLabelText('When it is up again'))
    await hands.click(form.getByRole('button', { name: 'Save Settings' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(mock.bodiesOf('updateMonitor')).toEqual([{ kind: 'tcp', port: 22, notifies_up: false }])
    expect(kept.monitor.port).toBe(22)
  })

  test('the change of another client is shown before it is replaced', async () => {
    const kept = serveMonitor({ monitor: monitor() })
    const hands = openDashboard(`${AT}&dialog=monitor-settings`)
    const form = await dialogOf('Monitor of home.example.net')
    await fill(hands, form.getByLabelText('Path'), '/health')
    kept.monitor = { ...kept.monitor, path: '/theirs', version: 9 }
    await hands.click(form.getByRole('button', { name: 'Save Settings' }))
    expect(
      await form.findByText(/^Now: Requests https:\/\/home\.example\.net\/theirs/),
    ).toBeDefined()
    await hands.click(form.getByRole('button', { name: 'Save Mine' }))
    await waitFor(() => expect(kept.monitor.path).toBe('/health'))
  })

  test('a refused field says why at the field', async () => {
    serveMonitor({ monitor: monitor() })
    const message = 'Expected numbers and ranges from 100 to 599.'
    mock.handle({
      updateMonitor: () =>
        problem('validation-failed', { errors: [{ field: 'expected_status', message }] }),
    })
    const hands = openDashboard(`${AT}&dialog=monitor-settings`)
    const form = await dialogOf('Monitor of home.example.net')
    await fill(hands, form.getByLabelText('Expected statuses'), '999')
    await hands.click(form.getByRole('button', { name: 'Save Settings' }))
    expect((await form.findByRole('alert')).textContent).toBe(message)
  })

  test('the heartbeat URL is created and shown once', async () => {
    serveMonitor({ monitor: monitor({ kind: 'heartbeat' }) })
    const hands = openDashboard(AT)
    await hands.click(await button('Create Heartbeat URL'))
    const { url } = exampleOf('createHeartbeatToken')
    expect(await screen.findByText(url)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Copy heartbeat url' })).toBeDefined()
    await hands.click(await button("I've saved this URL"))
    expect(screen.queryByText(url)).toBeNull()
  })
})

describe('the history', () => {
  const HOUR_MS = 3_600_000

  test('is read part by part with arrow keys, and as a table', async () => {
    serveMonitor({ monitor: monitor() })
    const parts = partsUntil(Date.parse('2026-05-12T12:00:00Z'), HOUR_MS, [
      { up_seconds: 3_600, uptime: 100, checks: 60 },
      { up_seconds: 3_600, uptime: 100, checks: 60 },
      { down_seconds: 360, up_seconds: 3_240, uptime: 90, checks: 60, failures: 6 },
      { maintenance_seconds: 3_600 },
    ])
    mock.handle({
      getUptimeHistory: () =>
        ok({ ...exampleOf('getUptimeHistory'), uptime: 96.66, parts: [...parts] }),
    })
    const hands = openDashboard(AT)
    await waitFor(() => expect(screen.getAllByRole('slider')).toHaveLength(2))
    const [bars, days] = screen.getAllByRole('slider')
    if (bars === undefined || days === undefined) throw new Error('there are two pictures')
    expect([bars, days].map((each) => each.getAttribute('aria-label'))).toEqual([
      '24 hours, part by part',
      '90 days, part by part',
    ])
    expect(bars.getAttribute('aria-valuetext')).toContain('in maintenance for 1 h')
    bars.focus()
    await hands.keyboard('{ArrowLeft}')
    expect(bars.getAttribute('aria-valuetext')).toMatch(/: uptime 90\.00%, down for 6 min$/)
    await hands.keyboard('{Home}{ArrowLeft}')
    expect(bars.getAttribute('aria-valuenow')).toBe('1')
    const [open] = screen.getAllByText('As table')
    if (open !== undefined) await hands.click(open)
    const table = within(await screen.findByRole('region', { name: '24 hours as a table' }))
    const rows = table
      .getAllByRole('row')
      .map(({ children }) => [...children].slice(1).map(({ textContent }) => textContent))
    expect(rows).toEqual([
      ['State', 'Uptime', 'Checks', 'Failed'],
      ['Maintenance', 'No data', '0', '0'],
      ['Down', '90.00%', '60', '6'],
      ['Up', '100.00%', '120', '0'],
    ])
  })

  test('incidents have their cause and length, and come page by page', async () => {
    const [example] = exampleOf('listIncidents')
    if (example === undefined) throw new Error('the contract has an example')
    const incidents = Array.from({ length: 23 }, (_, n) => ({
      ...example,
      id: String(n + 1),
      duration_seconds: n + 1,
      started_at: new Date(Date.UTC(2026, 4, 1, n)).toISOString(),
    }))
    serveMonitor({ monitor: monitor(), incidents })
    const hands = openDashboard(AT)
    const shown = await card('Incidents')
    const [first] = await shown.findAllByRole('listitem')
    expect(first?.textContent).toContain('Down for 23 sThe server answered with status 502.')
    await hands.click(shown.getByRole('button', { name: 'Show Older Incidents' }))
    await waitFor(() => expect(shown.getAllByRole('listitem')).toHaveLength(23))
    expect(shown.queryByRole('button')).toBeNull()
  })
})

test('maintenance is added in the time zone of the user with UTC beside it, and deleted', async () => {
  serveMonitor({ monitor: monitor() })
  const hands = openDashboard(AT)
  const shown = await card('Maintenance')
  expect(await shown.findByText('No maintenance is announced.')).toBeDefined()
  await hands.click(shown.getByRole('button', { name: 'Add Maintenance' }))
  const form = await dialogOf('Add maintenance')
  expect(form.getAllByText(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/)).toHaveLength(2)
  await fill(hands, form.getByLabelText('Note (optional)'), 'Backup')
  await hands.selectOptions(form.getByLabelText('Repeats'), 'weekly')
  await hands.click(form.getByRole('button', { name: 'Add Maintenance' }))
  const line = await shown.findByRole('listitem')
  expect(line.textContent).toMatch(/, for 1 h.* UTC\. Every week.*Backup/)
  await hands.click(within(line).getByRole('button', { name: /^Delete the maintenance of / }))
  await hands.click((await dialogOf('Delete maintenance?')).getByRole('button', { name: 'Delete' }))
  expect(await shown.findByText('No maintenance is announced.')).toBeDefined()
})

test('mails are listed with what became of them, and a test is sent', async () => {
  serveMonitor({ monitor: monitor({ notifies_up: false, certificate_warning_days: null }) })
  mock.handle({ listMonitorNotifications: () => ok(exampleOf('listMonitorNotifications')) })
  const hands = openDashboard(AT)
  const shown = await card('Mails')
  expect(shown.getByText('Homing sends you mail when it is down.')).toBeDefined()
  expect((await shown.findByRole('listitem')).textContent).toMatch(/^DownSent, 12 May 2026/)
  await hands.click(shown.getByRole('button', { name: 'Send Test Mail' }))
  expect(await screen.findByText('A test mail is on its way to you.')).toBeDefined()
  mock.handle({
    sendTestNotification: () => problem('email-not-verified', { detail: 'Verify your address.' }),
  })
  await hands.click(shown.getByRole('button', { name: 'Send Test Mail' }))
  expect((await shown.findByRole('alert')).textContent).toContain('Verify your address.')
})

test('a plan without monitors says what lifts it, and keeps the history', async () => {
  serveMonitor({
    monitor: monitor({ state: 'stopped', stopped_by: 'plan', min_interval_seconds: null }),
  })
  openDashboard(AT)
  const title = 'Uptime monitoring is not included in your plan'
  expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  expect((await card('Monitor')).getByText(/^Your plan does not include monitors/)).toBeDefined()
  expect(screen.getByRole('region', { name: 'Incidents' })).toBeDefined()
  for (const name of ['Monitor Settings', 'Add Maintenance', 'Send Test Mail']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})

test('an administrator’s lock keeps the monitor as it is', async () => {
  const locked = { ...monitored(monitor()), withheld_by: ['locked' as const], is_active: false }
  serveMonitor({ monitor: monitor() })
  mock.handle({ getDomainByFqdn: () => ok(locked) })
  openDashboard(`${AT}&dialog=monitor-settings`)
  expect(await screen.findByText(/^Locked by an administrator\. /)).toBeDefined()
  expect(screen.getByRole('switch')).toHaveProperty('disabled', true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the palette has the actions of the tab, and the formula is explained', async () => {
  serveMonitor({ monitor: monitor() })
  const hands = openDashboard(AT)
  await card('Monitor')
  await hands.keyboard('c')
  await hands.click((await dialogOf('Add maintenance')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(location.hash).toBe(AT))
  await hands.keyboard('{Control>}k{/Control}')
  const palette = within(await screen.findByRole('dialog', { name: 'Command palette' }))
  const group = palette.getByRole('group', { name: 'On this page' })
  const labels = within(group)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
  expect(labels).toEqual(
    expect.arrayContaining([
      'Turn Monitor Off',
      'Monitor Settings',
      'Add Maintenancec',
      'Send Test Mail',
    ]),
  )
  await hands.keyboard('how uptime{Enter}')
  expect(await screen.findByRole('dialog', { name: 'How uptime is calculated' })).toBeDefined()
})
