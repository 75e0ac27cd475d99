import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { monitor, serveMonitors, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { fill, open } from '../../../test/screen.tsx'

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const HOME = monitor({ id: '5', due_at: inMs(40_400) })
const NAS = monitor({
  id: '6',
  domain_id: '43',
  fqdn: 'nas.example.org',
  user_id: '8',
  username: 'bob',
  kind: null,
  state: 'down',
  cause: 'connection-lost',
  interval_seconds: 300,
  state_since: '2026-05-12T07:00:00.000Z',
  due_at: inMs(-180_000),
  is_account_paused: true,
})

const table = () => screen.findByRole('table', { name: 'Monitors' })
const rows = async () =>
  within(await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
const names = async () => (await rows()).map(([name]) => name)
const panel = async () =>
  within(await screen.findByRole('region', { name: 'Status of monitoring' }))

test('each row shows owner, kind, state, and when it is checked', async () => {
  serveMonitors([HOME, NAS])
  open('/monitors')
  const link = await screen.findByRole('link', { name: 'home.example.net' })
  expect(link.getAttribute('href')).toBe('/admin/domains/42/show')
  expect(screen.getByRole('link', { name: 'bob' }).getAttribute('href')).toBe('/admin/users/8')
  const [nas = [], home = []] = await rows()
  expect(nas.slice(0, 4)).toEqual([
    'nas.example.org',
    'bobaccount paused',
    'not chosenevery 5 minutes',
    'Downconnection lost',
  ])
  expect(nas[6]).toBe('3 minutes late')
  expect(home.slice(2, 4)).toEqual(['httpsevery 60 seconds', 'Up'])
  expect(home[6]).toMatch(/^in \d\d seconds$/)
})

test('the list can be searched, sorted, and filtered by state and kind', async () => {
  serveMonitors([HOME, NAS], { states: { up: 1, down: 1 } })
  const hands = open('/monitors')
  await table()
  const states = within(screen.getByRole('group', { name: 'State' }))
  await hands.click(await states.findByRole('button', { name: 'Down1' }))
  await waitFor(async () => expect(await names()).toEqual(['nas.example.org']))
  await hands.click(states.getByRole('button', { name: /^All/ }))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'https')
  await waitFor(async () => expect(await names()).toEqual(['home.example.net']))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), '')
  await waitFor(async () => expect(await names()).toHaveLength(2))
  await hands.click(screen.getByRole('button', { name: 'Domain' }))
  await waitFor(async () => expect(await names()).toEqual(['home.example.net', 'nas.example.org']))
  await fill(hands, screen.getByRole('searchbox', { name: 'Search domain or owner' }), 'nobody')
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
})

test('the number in each state is that of the status, until another filter is set', async () => {
  serveMonitors([HOME, NAS], { states: { up: 812, down: 3 } })
  const hands = open('/monitors')
  await table()
  const buttons = () =>
    within(screen.getByRole('group', { name: 'State' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
      .slice(0, 4)
  await waitFor(() => expect(buttons()).toEqual(['All815', 'Up812', 'Down3', 'Unknown0']))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'https')
  await waitFor(() => expect(buttons()).toEqual(['All1', 'Up1', 'Down0', 'Unknown0']))
})

test('the status shows states, overdue checks, and which worker is blind', async () => {
  const [worker] = exampleOf('getMonitoringStatus').workers
  if (worker === undefined) throw new Error('the contract has no example of a worker')
  const blind = { ...worker, name: 'worker-2/7', lag_ms: 12_400, is_blind: true }
  serveMonitors([HOME], { overdue: 1_200, workers: [worker, blind] })
  open('/monitors')
  const status = await panel()
  expect(await status.findByText('812 up, 3 down and 1 unknown')).toBeDefined()
  expect(
    status.getByText(/^1,200 checks by more than 30 seconds, the oldest was due/),
  ).toBeDefined()
  const [, one, other] = status.getAllByRole('row').map(({ textContent }) => textContent)
  expect(one).toMatch(/^worker-1\/412120 ms816Works/)
  expect(other).toMatch(/^worker-2\/712,400 ms816Seems downFailed checks count as unknown\./)
})

test('the status refreshes by itself, and says when it cannot', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
  const status = serveMonitors([HOME], { workers: [] })
  open('/monitors')
  const shown = await panel()
  expect(await shown.findByText(/^No worker was seen in the last minute/)).toBeDefined()
  Object.assign(status, { workers: exampleOf('getMonitoringStatus').workers })
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(await shown.findByText('worker-1/412')).toBeDefined()
  mock.handle({ getMonitoringStatus: () => problem('unavailable', { detail: 'Not now.' }) })
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(await shown.findByText('Not now.')).toBeDefined()
  expect(shown.queryByText('worker-1/412')).toBeNull()
})

test('all monitors are paused with a reason, and resumed', async () => {
  serveMonitors([HOME])
  const hands = open('/monitors')
  await hands.click(await screen.findByRole('button', { name: 'Pause all monitors' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause all monitors?' }))
  expect(dialog.getByText(/^Checks end within moments, and no mails are sent/)).toBeDefined()
  const pause = dialog.getByRole<HTMLButtonElement>('button', { name: 'Pause' })
  expect(pause.disabled).toBe(true)
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'We move.')
  await hands.click(pause)
  expect(await screen.findByText('Paused all monitors.')).toBeDefined()
  expect(await screen.findByText(/^All monitors are paused since .*: We move\.$/)).toBeDefined()
  await hands.click(await screen.findByRole('button', { name: 'Resume all monitors' }))
  const resume = within(await screen.findByRole('dialog', { name: 'Resume all monitors?' }))
  await hands.click(resume.getByRole('button', { name: 'Resume' }))
  expect(await screen.findByRole('button', { name: 'Pause all monitors' })).toBeDefined()
  expect(mock.bodiesOf('pauseMonitoring')).toEqual([
    { is_paused: true, reason: 'We move.' },
    { is_paused: false },
  ])
})

test('the page of a user pauses the monitors of the account, and links to them', async () => {
  const kept = serveUsers(user({ id: '8', username: 'bob' }))
  serveMonitors([HOME, NAS])
  mock.handle({
    pauseAccountMonitoring({ params, body }) {
      expect(params.id).toBe('8')
      const [bob = user()] = kept
      kept[0] = {
        ...bob,
        monitoring_paused_at: '2026-05-12T08:30:00.000Z',
        monitoring_pause_reason: body.reason ?? null,
      }
      return ok(body)
    },
  })
  const hands = open('/users/8')
  const name = 'Pause the monitors of bob'
  await hands.click(await screen.findByRole('button', { name }))
  const dialog = within(await screen.findByRole('dialog', { name: `${name}?` }))
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'The targets complained.')
  await hands.click(dialog.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByRole('button', { name: 'Resume the monitors of bob' })).toBeDefined()
  expect(screen.getByText(/: The targets complained\.$/)).toBeDefined()
  await hands.click(screen.getByRole('link', { name: '1 monitor' }))
  await waitFor(async () => expect(await names()).toEqual(['nas.example.org']))
})

test('an error stays in the dialog with the text that was typed', async () => {
  serveMonitors([HOME])
  const hands = open('/monitors')
  await hands.click(await screen.findByRole('button', { name: 'Pause all monitors' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Pause all monitors?' }))
  const reason = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Reason' })
  await hands.type(reason, 'We move.')
  const message = 'reason contains a line break. Write it on one line.'
  mock.handle({
    pauseMonitoring: () => problem('validation-failed', { errors: [{ field: 'reason', message }] }),
  })
  await hands.click(dialog.getByRole('button', { name: 'Pause' }))
  expect(await dialog.findByText(message)).toBeDefined()
  expect(reason.value).toBe('We move.')
})
