/** The history of an own zone, its undo, and that of the zone's records. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, listed, mock, ok } from '../../../test/mock.ts'
import { activeZone, ownZone, serveOwnZones } from '../../../test/own-zones.ts'
import { dnsRecord, usageOf } from '../../../test/records.ts'
import { openDashboard } from '../../../test/screen.tsx'
import type { ZoneEvent } from '../../api/zone-history.ts'

const AT = '#zones/5?tab=history'
const MAIL = { owner: 'example.com', type: 'MX', ttl: 3_600, values: ['10 mail.example.com.'] }

const event = (changes: Partial<ZoneEvent> = {}): ZoneEvent => {
  const [example] = exampleOf('listZoneEvents')
  return { ...(example as ZoneEvent), at: new Date().toISOString(), ...changes }
}
const deletion = (id: string) =>
  event({ id, kind: 'record-deleted', old: { record: MAIL }, new: { record: null } })

/** Mocks a history. @returns the events, which an undo adds to */
function serveEvents(...events: ZoneEvent[]): ZoneEvent[] {
  mock.handle({
    listZoneEvents: () => ok([...events]),
    undoZoneEvent({ params }) {
      const found = events.find(({ id }) => id === params.event_id) ?? event()
      const undone = { ...found, old: found.new, new: found.old, undoes: found.id }
      events.unshift({ ...undone, id: '90', kind: 'record-created' })
      return ok(events[0] as ZoneEvent)
    },
  })
  return events
}

test('shows the values before and after each change, and undoes one', async () => {
  serveOwnZones({ zones: [activeZone()] })
  serveEvents(deletion('12'))
  const hands = openDashboard(AT)
  const list = async () => within(await screen.findByRole('list', { name: 'History' }))
  expect((await list()).getByRole('heading', { name: 'Record deleted' })).toBeDefined()
  expect((await list()).getByText('MX of example.com')).toBeDefined()
  expect((await list()).getByText('10 mail.example.com. removed')).toBeDefined()
  await hands.click((await list()).getByRole('button', { name: /^Undo: Record deleted/ }))
  await screen.findByText('The change was undone.')
  await waitFor(async () => expect((await list()).getByText('Undone')).toBeDefined())
  expect((await list()).getByText('10 mail.example.com. added')).toBeDefined()
  expect(document.activeElement?.textContent).toBe('History')
})

test.each([
  [
    ownZone({ state: 'withheld', withheld_at: '2026-06-11T08:00:00.000Z' }),
    /so changes cannot be undone/,
  ],
  [ownZone(), 'The history begins when the zone is active.'],
])('a zone that is not active says why there is no undo', async (zone, text) => {
  serveOwnZones({ zones: [zone] })
  serveEvents(deletion('12'))
  openDashboard(AT)
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('Undo in the notice of a deleted record uses the history of the zone', async () => {
  const record = dnsRecord({ ...MAIL, domain_id: null, zone: 'example.com' })
  const records = [record]
  serveOwnZones({ zones: [activeZone()] })
  const events = serveEvents()
  mock.handle({
    listZoneRecords: ({ query }) => listed(records, query),
    getRecordUsage: () => ok(usageOf(1)),
    deleteZoneRecord() {
      records.pop()
      events.unshift(deletion('12'))
      return ok()
    },
  })
  const hands = openDashboard('#zones/5?tab=records')
  await hands.click(await screen.findByRole('button', { name: /^Delete MX/ }))
  await hands.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(mock.calls.filter(({ id }) => id === 'undoZoneEvent')).toMatchObject([
      { params: { id: '5', event_id: '12' } },
    ]),
  )
  expect(mock.calls.some(({ id }) => id === 'createZoneRecord')).toBe(false)
})
