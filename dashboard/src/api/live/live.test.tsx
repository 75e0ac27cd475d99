/** The live stream of the dashboard, with an event source and other tabs that the test plays. */
import { QueryClient } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'
import { dnsRecord, serveRecords } from '../../../test/records.ts'
import { activeZone, serveOwnZones } from '../../../test/own-zones.ts'
import type { ZoneEvent } from '../zone-history.ts'
import { PlayedSource } from '../../../test/played-source.ts'
// Loaded before the test that shows it, so that the test does not wait for it.
import '../../screens/domain/records/RecordsTab.tsx'

/** The locks of a browser: each name belongs to the first who asked, until the promise of their callback settles. */
class PlayedLocks {
  #queue: Promise<unknown> = Promise.resolve()

  request(
    _name: string,
    { signal }: { signal: AbortSignal },
    hold: () => unknown,
  ): Promise<unknown> {
    const before = this.#queue
    const held = before.then(() => {
      signal.throwIfAborted()
      return hold()
    })
    this.#queue = held.catch(() => undefined)
    return held
  }
}

let locks: PlayedLocks
const channels: BroadcastChannel[] = []

beforeEach(() => {
  PlayedSource.opened = []
  locks = new PlayedLocks()
  vi.stubGlobal('EventSource', PlayedSource)
  Object.defineProperty(navigator, 'locks', { configurable: true, get: () => locks })
})
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  Reflect.deleteProperty(navigator, 'locks')
})

const listReads = () => mock.calls.filter(({ id }) => id === 'listDomains').length
const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
const present = () => {
  const [source] = PlayedSource.opened.slice(-1)
  if (source === undefined) throw new Error('the dashboard opened no stream')
  return source
}
/** What another tab of the browser hears and says. */
function otherTab(): BroadcastChannel {
  const channel = new BroadcastChannel('homing-live-7')
  channels.push(channel)
  return channel
}

async function openLive(): Promise<PlayedSource> {
  await screen.findByRole('row', { name: /^home\.example\.net/ })
  await waitFor(() => expect(PlayedSource.opened.length).toBe(1))
  return present()
}

test('records of a domain are read again when the domain changes', async () => {
  const { records } = serveRecords({ records: [dnsRecord({ id: '81' })] })
  openDashboard('#domain/home.example.net?tab=records')
  await screen.findByRole('rowheader', { name: '_acme-challenge' })
  await waitFor(() => expect(PlayedSource.opened.length).toBe(1))
  records.push(dnsRecord({ id: '82', owner: 'new.home.example.net' }))
  present().say(['domain', domain({ version: 9 })])
  expect(await screen.findByRole('rowheader', { name: 'new' })).toBeDefined()
})

test('the history of an own zone is read again when its records change', async () => {
  serveOwnZones({ zones: [activeZone()] })
  const events: ZoneEvent[] = []
  mock.handle({ listZoneEvents: () => ok([...events]) })
  openDashboard('#zones/5?tab=history')
  await screen.findByText(/^No record has changed/)
  await waitFor(() => expect(PlayedSource.opened.length).toBe(1))
  events.push(...exampleOf('listZoneEvents'))
  present().say(['zone', { id: '5', zone: 'example.com' }])
  expect(await screen.findByRole('heading', { name: 'Record changed' })).toBeDefined()
})

test('a domain changes in its row, without another read, and typed text stays', async () => {
  const rows = serveDomains(
    domain({ id: '1', version: 3 }),
    domain({ id: '2', fqdn: 'nas.example.net' }),
  )
  const hands = openDashboard()
  const source = await openLive()
  expect(source.url).toBe('/api/stream')
  const reads = listReads()
  await hands.type(screen.getByRole('searchbox'), 'h')
  // The search reads the list once more; the events do not.
  await waitFor(() => expect(listReads()).toBe(reads + 1))
  const changed = domain({ id: '1', version: 4, record_ipv4: '203.0.113.9' })
  rows[0] = changed
  source.say(['domain', changed])
  expect(await screen.findByText('203.0.113.9')).toBeDefined()
  source.say(['domain', domain({ id: '1', version: 3, record_ipv4: '198.51.100.1' })])
  expect(screen.queryByText('198.51.100.1')).toBeNull()
  expect(screen.getByText(/^Live · \d+ s ago$/)).toBeDefined()
  expect(screen.getByRole('searchbox')).toHaveProperty('value', 'h')
  expect(listReads()).toBe(reads + 1)
})

test('a new domain and a deleted one: the list is read again', async () => {
  const rows = serveDomains(domain({ id: '1' }))
  openDashboard()
  const source = await openLive()
  const made = domain({ id: '9', fqdn: 'new.example.net' })
  rows.push(made)
  source.say(['domain', made])
  await waitFor(() => expect(names()).toContain('new.example.net'))
  rows.pop()
  source.say(['domain-deleted', { id: '9', fqdn: 'new.example.net' }])
  await waitFor(() => expect(names()).toEqual(['home.example.net']))
})

test('rows stay where they are while the pointer is over them', async () => {
  const rows = serveDomains(
    domain({ id: '1', version: 3 }),
    domain({ id: '2', fqdn: 'nas.example.net' }),
  )
  openDashboard()
  const source = await openLive()
  const found = document.querySelector.bind(document)
  const body = found('.domains tbody')
  let isOver = true
  vi.spyOn(document, 'querySelector').mockImplementation((selector: string) =>
    selector.endsWith('tbody:hover') ? (isOver ? body : null) : found(selector),
  )
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const reads = listReads()
  rows.shift()
  source.say(['domain-deleted', { id: '1', fqdn: 'home.example.net' }])
  source.say([
    'domain',
    domain({ id: '2', fqdn: 'nas.example.net', version: 9, record_ipv4: '203.0.113.9' }),
  ])
  expect(await screen.findByText('203.0.113.9')).toBeDefined()
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect([listReads(), names()]).toEqual([reads, ['home.example.net', 'nas.example.net']])
  isOver = false
  await waitFor(() => expect(names()).toEqual(['nas.example.net']))
})

test('an update call is read at once, for the dialog that waits for it', async () => {
  serveDomains(domain({ id: '1' }))
  openDashboard()
  const source = await openLive()
  const read = vi.spyOn(QueryClient.prototype, 'invalidateQueries')
  const last_at = '2026-05-12T09:30:00.000Z'
  const refused = { last_at, is_refused: true, answer: 'badauth' }
  source.say(['update-call', { domain_id: '1', fqdn: 'home.example.net', ...refused }])
  expect(read).toHaveBeenCalledWith({ queryKey: ['update-calls', '1'] })
})

test('the state of a monitor changes in its row, and the card is read again', async () => {
  serveDomains(
    domain({ id: '1', monitor_enabled: true, monitor_kind: 'https', monitor_state: 'up' }),
  )
  const summary = exampleOf('getUptimeSummary')
  let down = 0
  const me = exampleOf('getMe')
  mock.handle({
    getMe: () => ok({ ...me, limits: { ...me.limits, abilities: ['uptime'] } }),
    getUptimeSummary: () => ok({ ...summary, domains_down: down }),
  })
  openDashboard()
  const source = await openLive()
  const reads = listReads()
  const row = screen.getByRole('row', { name: /^home\.example\.net/ })
  expect(row.textContent).toContain('Uphttps')
  down = 1
  const event = { ...exampleOf('getMonitor'), domain_id: '1', state: 'down' } as const
  const { fqdn, is_enabled, kind, port, state_since, cause_text } = event
  const fields = { domain_id: '1', fqdn, is_enabled, kind, port, state_since, cause_text }
  source.say(['monitor', { ...fields, state: 'down' }])
  expect(row.textContent).toContain('Downhttps')
  expect(await screen.findByText('1 domain down')).toBeDefined()
  expect(listReads()).toBe(reads)
})

test('after an interruption the list is read again', async () => {
  serveDomains(domain())
  openDashboard()
  const source = await openLive()
  const at = '2026-05-12T09:30:25.000Z'
  source.say(['heartbeat', { at }])
  const reads = listReads()
  act(() => void source.dispatchEvent(new Event('error')))
  source.say(['heartbeat', { at }])
  await waitFor(() => expect(listReads()).toBe(reads + 1))
})

test('one tab has the stream, and the others hear it', async () => {
  serveDomains(domain({ id: '1', version: 3 }))
  const held = Promise.withResolvers<void>()
  // Another tab has it already.
  void locks.request('', { signal: new AbortController().signal }, () => held.promise)
  const other = otherTab()
  openDashboard()
  await screen.findByRole('row', { name: /^home\.example\.net/ })
  expect(PlayedSource.opened).toEqual([])
  const event = ['domain', domain({ id: '1', version: 4, record_ipv4: '203.0.113.9' })]
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  other.postMessage({ kind: 'event', event })
  expect(await screen.findByText('203.0.113.9')).toBeDefined()
  // It closes, and this one takes over and tells the others.
  const heard: unknown[] = []
  other.addEventListener('message', ({ data }) => heard.push(data))
  held.resolve()
  await waitFor(() => expect(PlayedSource.opened.length).toBe(1))
  present().say(['heartbeat', { at: '2026-05-12T09:30:25.000Z' }])
  await waitFor(() => expect(heard).toContainEqual(expect.objectContaining({ kind: 'event' })))
})

test('a tab that is hidden for a while has no stream', async () => {
  serveDomains(domain())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  openDashboard()
  const source = await openLive()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(source.readyState).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(source.readyState).toBe(PlayedSource.CLOSED)
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(PlayedSource.opened.length).toBe(2))
})

test('without a stream the list is read every ten seconds', async () => {
  serveDomains(domain())
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
  openDashboard()
  const source = await openLive()
  source.say(['heartbeat', { at: '2026-05-12T09:30:25.000Z' }])
  const reads = listReads()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(listReads()).toBe(reads)
  source.fail()
  expect(await screen.findByText(/^Updated · \d+ s ago$/)).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  await waitFor(() => expect(listReads()).toBe(reads + 1))
})

test('the end of the session asks to sign in again', async () => {
  serveDomains(domain())
  openDashboard()
  const source = await openLive()
  mock.handle({ listDomains: () => problem('unauthenticated') })
  source.say(['end', { reason: 'session-ended' }])
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeDefined()
})

test('changes appear on the page of a domain, and wait while its history is read', async () => {
  const rows = serveDomains(domain({ version: 3 }))
  const [example] = exampleOf('listDomainEvents')
  if (example === undefined) throw new Error('the contract has an example')
  const event = { ...example, at: new Date().toISOString() }
  const events = [event]
  mock.handle({ listDomainEvents: () => ok([...events]) })
  const hands = openDashboard('#domain/home.example.net?tab=history')
  const list = await screen.findByRole('list', { name: 'History' })
  await waitFor(() => expect(PlayedSource.opened.length).toBe(1))
  const change = (version: number) => {
    const changed = domain({ version, record_ipv4: `203.0.113.${version}` })
    rows[0] = changed
    events.unshift({ ...event, id: `99${version}` })
    present().say(['domain', changed])
  }
  change(4)
  await waitFor(() => expect(list.children.length).toBe(2))
  const [undo] = screen.getAllByRole('button', { name: /^Undo/ })
  act(() => undo?.focus())
  change(5)
  await hands.click(await screen.findByRole('button', { name: 'Show 1 new change' }))
  expect(list.children.length).toBe(3)
  await hands.click(screen.getByRole('link', { name: 'Overview' }))
  expect(await screen.findByText('203.0.113.5')).toBeDefined()
})
