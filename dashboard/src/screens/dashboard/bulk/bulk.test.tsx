/** Changes of several domains, by the table. */
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../../test/domains.ts'
import { mock, ok, problem } from '../../../../test/mock.ts'
import { serveAbilities } from '../../../../test/queries.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

/**
 * Serves `count` domains, opens the dashboard, and waits for the rows.
 *
 * @param shown how many of them the page has: 50 rows take seconds in jsdom
 */
async function openWith(count: number, shown = count): Promise<UserEvent> {
  const kept = serveDomains(
    ...Array.from({ length: count }, (_, n) =>
      domain({ id: String(n + 1), fqdn: `d${String(n).padStart(4, '0')}.example.net` }),
    ),
  )
  if (shown < count) {
    const pageHeader = { 'content-range': `domains 0-${shown - 1}/${count}` }
    mock.handle({
      listDomains: ({ query }) =>
        query.range === undefined ? ok(kept) : ok(kept.slice(0, shown), pageHeader),
    })
  }
  const hands = openDashboard()
  await screen.findByText('d0000.example.net')
  return hands
}

const bar = () => within(screen.getByLabelText('Selected domains'))
const inBar = async (hands: UserEvent, name: string) => {
  await screen.findByLabelText('Selected domains')
  await hands.click(bar().getByRole('button', { name }))
}
const inDialog = async (hands: UserEvent, name: string | RegExp) =>
  hands.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
const select = async (hands: UserEvent, fqdn: string) =>
  hands.click(await screen.findByLabelText(`Select ${fqdn}`))

type Line = { readonly op: 'create' | 'change' | 'delete'; readonly id?: string }
const operationsOf = (body: unknown) =>
  (body as { readonly operations: readonly Line[] }).operations
const batches = () => mock.bodiesOf('changeDomains').map(operationsOf)

/** Applies batches, except those with the domain `bad`. */
function serveBatches(bad?: string): void {
  mock.handle({
    changeDomains({ body }) {
      const verdicts = operationsOf(body).map(({ op, id = '' }, index) => {
        const verdict = { index, op, id, fqdn: null }
        return id === bad
          ? { ...verdict, ok: false, code: 'withheld' as const, detail: 'It is locked.' }
          : { ...verdict, ok: true }
      })
      if (verdicts.every(({ ok: isAllowed }) => isAllowed)) return ok({ applied: true, verdicts })
      return problem('batch-refused', { verdicts })
    },
  })
}

test('the page is selected, then all that match, and tags are added in batches of 500', async () => {
  serveBatches()
  const hands = await openWith(600, 2)
  await hands.click(screen.getByLabelText('Select all domains on this page'))
  await screen.findByText('2 domains selected')
  await inBar(hands, 'Select all 600 domains')
  await bar().findByText('600 domains selected, 598 not on this page')
  await inBar(hands, 'Tags')
  await fill(hands, await screen.findByLabelText('Add tags'), 'office, camera')
  await inDialog(hands, 'Change Tags')
  await screen.findByText('600 domains tagged.')
  expect(batches().map(({ length }) => length)).toEqual([500, 100])
  expect(batches()[0]?.[0]).toEqual({ op: 'change', id: '1', add_tags: ['office', 'camera'] })
  // The selection stays.
  expect(bar().getByRole('status').textContent).toMatch(/^600 domains selected/)
})

test('a refused domain is named, the others can be changed, and the row keeps the reason', async () => {
  serveBatches('2')
  const hands = await openWith(3)
  for (const n of [0, 1, 2]) await select(hands, `d000${n}.example.net`)
  await inBar(hands, 'Pause')
  await screen.findByRole('dialog', { name: 'Pause 3 domains?' })
  await inDialog(hands, 'Pause')
  const refused = await screen.findByRole('list', { name: 'Domains that were not changed' })
  expect(refused.textContent).toBe('d0001.example.netIt is locked.')
  expect(screen.getByText('Nothing was changed.')).toBeDefined()
  await inDialog(hands, 'Continue with 2 domains')
  await screen.findByText('2 domains paused.')
  expect(batches().at(-1)).toEqual([
    { op: 'change', id: '1', paused: true },
    { op: 'change', id: '3', paused: true },
  ])
  await inDialog(hands, 'Close')
  const row = await screen.findByRole('row', { name: 'd0001.example.net' })
  expect(row.textContent).toContain('Not changed: It is locked.')
  expect(within(row).getByRole('checkbox')).toHaveProperty('checked', true)
})

test('without a network the dialog keeps the values, and the repeated batch has the same key', async () => {
  const hands = await openWith(2)
  const keys: (string | null)[] = []
  mock.handle({
    changeDomains({ headers }) {
      keys.push(headers.get('idempotency-key'))
      if (keys.length === 1) throw new TypeError('Failed to fetch')
      return ok({ applied: true, verdicts: [] })
    },
  })
  await hands.click(screen.getByLabelText('Select all domains on this page'))
  await inBar(hands, 'Set Address')
  const field = await screen.findByLabelText('Addresses')
  await fill(hands, field, '192.0.2.9')
  await inDialog(hands, 'Set Address')
  await screen.findByText(/^The service did not answer the last batch\./)
  expect(field).toHaveProperty('value', '192.0.2.9')
  await inDialog(hands, 'Continue with 2 domains')
  await screen.findByText('2 domains updated.')
  expect(keys[0]).not.toBeNull()
  expect(keys).toEqual([keys[0], keys[0]])
})

test('Undo restores what the change replaced, and leaves later changes', async () => {
  const kept = serveDomains(
    domain({ id: '1', fqdn: 'a.example.net', version: 4 }),
    domain({ id: '2', fqdn: 'b.example.net', version: 7, paused: true, withheld_by: ['paused'] }),
    domain({ id: '3', fqdn: 'c.example.net', version: 1 }),
  )
  mock.handle({
    changeDomains({ body }) {
      for (const { id, paused = false } of body.operations as { id: string; paused?: boolean }[]) {
        const at = kept.findIndex((each) => each.id === id)
        const found = kept[at]
        if (found === undefined || found.paused === paused) continue
        kept[at] = { ...found, paused, version: found.version + 1 }
      }
      return ok({ applied: true, verdicts: [] })
    },
  })
  const hands = openDashboard()
  await screen.findByText('a.example.net')
  await hands.click(screen.getByLabelText('Select all domains on this page'))
  await inBar(hands, 'Pause')
  await screen.findByRole('dialog')
  await inDialog(hands, 'Pause')
  await screen.findByText('3 domains paused.')
  // Another client.
  kept[2] = { ...(kept[2] as (typeof kept)[number]), record_ipv4: '192.0.2.99', version: 9 }
  await hands.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText(
    'The change of 1 domain was undone. 1 domain changed since and kept the new values.',
  )
  expect(batches().at(-1)).toEqual([{ op: 'change', id: '1', version: 5, paused: false }])
})

test('addresses of a family can be removed, unless one is set', async () => {
  serveBatches()
  const hands = await openWith(1)
  await select(hands, 'd0000.example.net')
  await inBar(hands, 'Set Address')
  await hands.click(await screen.findByLabelText('Remove the IPv6 address'))
  const field = screen.getByLabelText('Addresses')
  const submit = () =>
    within(screen.getByRole('dialog')).getByRole('button', { name: 'Set Address' })
  await fill(hands, field, '2001:db8::1')
  await screen.findByText('Enter an IPv6 address or remove it, not both.')
  expect(submit()).toHaveProperty('disabled', true)
  await fill(hands, field, '192.0.2.9')
  await hands.click(submit())
  await screen.findByText('1 domain updated.')
  const addresses = { record_ipv4: '192.0.2.9', record_ipv6: null }
  expect(batches()).toEqual([[{ op: 'change', id: '1', ...addresses }]])
})

test.each([
  ['Monitor On', 'Turn On', true, /tells you by mail when one is down/, 'monitored'],
  ['Monitor Off', 'Turn Off', false, /no longer checks them/, 'no longer monitored'],
])('%s says what it does, and leaves out wildcards', async (...row) => {
  const [action, submit, monitor, effect, done] = row
  serveBatches()
  serveAbilities('uptime')
  serveDomains(
    domain({ id: '1', fqdn: 'a.example.net' }),
    domain({ id: '2', fqdn: '*.a.example.net', is_wildcard: true }),
  )
  const hands = openDashboard()
  await select(hands, 'a.example.net')
  await select(hands, '*.a.example.net')
  await inBar(hands, action)
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toMatch(effect)
  expect(dialog.textContent).toContain('Wildcards (1 selected) have no monitors.')
  expect(dialog.textContent).not.toContain('DNS')
  await inDialog(hands, submit)
  await screen.findByText(`1 domain ${done}.`)
  expect(batches()).toEqual([[{ op: 'change', id: '1', monitor }]])
})

test('without monitors in the plan, they can only be turned off', async () => {
  serveAbilities()
  const hands = await openWith(1)
  await select(hands, 'd0000.example.net')
  await screen.findByLabelText('Selected domains')
  expect(bar().queryByRole('button', { name: 'Monitor On' })).toBeNull()
  expect(bar().getByRole('button', { name: 'Monitor Off' })).toBeDefined()
})

test('deleted domains leave the selection, and Undo restores them', async () => {
  serveBatches()
  const hands = await openWith(2)
  await select(hands, 'd0000.example.net')
  await inBar(hands, 'Delete')
  const dialog = await screen.findByRole('dialog', { name: 'Delete 1 domain?' })
  expect(dialog.textContent).toContain('but without the uptime history of their monitors')
  await inDialog(hands, 'Delete')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected domains' })).toBeNull())
  expect(batches()).toEqual([[{ op: 'delete', id: '1' }]])
  mock.handle({ restoreDomain: () => ok(domain({ id: '1', fqdn: 'd0000.example.net' })) })
  await hands.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByText('1 domain was restored.')
})

test('a domain that is deleted by its row leaves the selection', async () => {
  const hands = await openWith(2)
  await hands.click(screen.getByLabelText('Select all domains on this page'))
  await screen.findByText('2 domains selected')
  await chooseInMenu(hands, 'd0000.example.net', 'Delete')
  await screen.findByRole('dialog', { name: 'Delete domain?' })
  await inDialog(hands, 'Delete')
  expect(await screen.findByText('1 domain selected')).toBeDefined()
})

test('the selected domains are exported, in the form of the service', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const hands = await openWith(2)
  const row = (name: string) => ({
    domain: name,
    zone: 'example.net',
    ipv4: '198.51.100.7',
    ipv6: null,
    status: 'active' as const,
    wildcard: false,
    paused: false,
    tags: '',
    note: null,
    ttl: 60,
    created_at: '2026-05-12T08:30:00.000Z',
    last_update_at: null,
  })
  mock.handle({ exportDomains: () => ok([row('d0000.example.net'), row('d0001.example.net')]) })
  await select(hands, 'd0001.example.net')
  await inBar(hands, 'Export')
  await waitFor(() => expect(saved).toHaveLength(1))
  const lines = (await saved[0]?.text())?.split('\r\n')
  expect(lines).toEqual([
    'domain,zone,ipv4,ipv6,status,wildcard,paused,tags,note,ttl,created_at,last_update_at',
    expect.stringMatching(/^d0001\.example\.net,example\.net,198\.51\.100\.7,,active,/),
    '',
  ])
})
