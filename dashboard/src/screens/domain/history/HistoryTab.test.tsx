import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'
import type { DomainEvent } from '../../../api/domain-history.ts'

const AT = '#domain/home.example.net?tab=history'
const [EXAMPLE] = exampleOf('listDomainEvents')
const event = (changes: Partial<DomainEvent> = {}): DomainEvent => ({
  ...(EXAMPLE as DomainEvent),
  at: new Date().toISOString(),
  ...changes,
})
const list = async () => screen.findByRole('list', { name: 'History' })
const items = async () => Array.from((await list()).children, (item) => within(item as HTMLElement))

test('says what changed, who changed it, from where and with which client', async () => {
  serveDomains(domain())
  mock.handle({ listDomainEvents: () => ok([event()]) })
  openDashboard(AT)
  const [item] = await items()
  expect(item?.getByRole('heading', { name: 'Address changed' })).toBeDefined()
  expect(item?.getByText('IPv4 address changed from 198.51.100.6 to 198.51.100.7')).toBeDefined()
  const origin = item?.getByText(/^The API key “pipeline” from/)
  expect(origin?.textContent).toMatch(/from 198\.51\.100\.7 \(.*Germany\), ddclient$/)
})

test('older changes follow those that are shown', async () => {
  serveDomains(domain())
  mock.handle({
    listDomainEvents({ query }) {
      const isFirst = query.filter === undefined
      if (!isFirst) expect(query.filter).toBe('{"before":"12"}')
      return isFirst
        ? ok([event({ id: '12' })], { 'content-range': 'events 0-0/*' })
        : ok([event({ id: '11', kind: 'created' })], { 'content-range': 'events 0-0/1' })
    },
  })
  const hands = openDashboard(AT)
  await hands.click(await screen.findByRole('button', { name: 'Show Older Changes' }))
  expect(await screen.findByRole('heading', { name: 'Registered' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Show Older Changes' })).toBeNull()
})

test('undoes a change once, and shows the undo as a change', async () => {
  serveDomains(domain())
  const events = [
    event({ id: '12', kind: 'paused', old: { paused: false }, new: { paused: true } }),
    event({ id: '10', at: '2024-01-01T00:00:00.000Z' }),
    event({ id: '9', kind: 'created' }),
  ]
  mock.handle({
    listDomainEvents: () => ok([...events]),
    undoDomainEvent({ params }) {
      events.unshift(event({ id: '13', kind: 'resumed', undoes: params.event_id }))
      return ok(domain())
    },
  })
  const hands = openDashboard(AT)
  await list()
  // The other changes are too old, or of another kind.
  const [undo, ...others] = screen.getAllByRole('button', { name: /^Undo/ })
  expect(others).toEqual([])
  await hands.click(undo as HTMLElement)
  await waitFor(async () => expect(await items()).toHaveLength(4))
  const [resumed, paused] = await items()
  expect(resumed?.getByText('Undo of an earlier change')).toBeDefined()
  expect(paused?.getByText('Undone')).toBeDefined()
  expect(paused?.queryByRole('button')).toBeNull()
  expect(document.activeElement?.textContent).toBe('History')
})

test.each([
  ['already-undone', 'The change was undone already.', /Nothing more was changed/],
  ['undo-refused', 'The domain was changed again afterwards.', /shows what changed later/],
  ['withheld', 'home.example.net is not served: over_limit.', /The overview says why/],
] as const)('explains %s in place', async (code, detail, advice) => {
  serveDomains(domain())
  mock.handle({
    listDomainEvents: () => ok([event()]),
    undoDomainEvent: () => problem(code, { detail }),
  })
  const hands = openDashboard(AT)
  await hands.click(await screen.findByRole('button', { name: /^Undo/ }))
  const [item] = await items()
  expect((await item?.findByRole('alert'))?.textContent).toContain(detail)
  expect(item?.getByText(advice)).toBeDefined()
})

test('a locked domain has no undo, and the page says why', async () => {
  serveDomains(domain({ withheld_by: ['locked'], is_active: false }))
  mock.handle({ listDomainEvents: () => ok([event()]) })
  openDashboard(AT)
  expect(await screen.findByText(/locked this domain, so its changes cannot/)).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull()
})
