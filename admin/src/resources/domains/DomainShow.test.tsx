import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { domain, serveDomains } from '../../../test/records.ts'
import { open } from '../../../test/screen.tsx'

/** Opens the page of a domain. */
async function openDomain(shown = domain()) {
  const kept = serveDomains(shown)
  const hands = open(`/domains/${shown.id}/show`)
  await screen.findByRole('heading', { name: shown.fqdn })
  const administration = within(screen.getByRole('region', { name: 'Administration' }))
  return { kept, hands, administration }
}

const changes = () => mock.calls.map(({ id }) => id).filter((id) => /^(un)?lockDomain$/.test(id))

test('shows the records and the owner of the domain', async () => {
  await openDomain(domain({ record_ipv6: '2001:db8::7' }))
  const facts = screen.getByRole('region', { name: 'Facts' }).textContent
  for (const fact of ['StatusActive', 'Ownerada', 'IPv4 address198.51.100.7', 'TTL60 seconds']) {
    expect(facts).toContain(fact)
  }
  expect(screen.getByRole('link', { name: 'ada' }).getAttribute('href')).toBe('/admin/users/7')
})

test('is locked after confirmation, which describes the effects', async () => {
  const { kept, hands, administration } = await openDomain()
  await hands.click(administration.getByRole('button', { name: 'Lock' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Lock home.example.net?' }))
  expect(
    dialog.getByText(/^DNS stops serving the domain, its wildcard and the domains below it/),
  ).toBeDefined()
  expect(changes()).toEqual([])
  await hands.click(dialog.getByRole('button', { name: 'Lock' }))
  expect(await screen.findByText('home.example.net is locked.')).toBeDefined()
  expect(await administration.findByRole('button', { name: 'Unlock' })).toBeDefined()
  expect([changes(), kept[0]?.withheld_by]).toEqual([['lockDomain'], ['locked']])
})

test('is unlocked in the same way', async () => {
  const { kept, hands, administration } = await openDomain(domain({ withheld_by: ['locked'] }))
  await hands.click(administration.getByRole('button', { name: 'Unlock' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Unlock home.example.net?' }))
  await hands.click(dialog.getByRole('button', { name: 'Unlock' }))
  expect(await screen.findByText('home.example.net is unlocked.')).toBeDefined()
  expect([changes(), kept[0]?.withheld_by]).toEqual([['unlockDomain'], []])
})

test('is not locked without confirmation', async () => {
  const { hands, administration } = await openDomain()
  await hands.click(administration.getByRole('button', { name: 'Lock' }))
  await hands.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changes()).toEqual([])
})

test('an error is shown, and the button does not change', async () => {
  const { hands, administration } = await openDomain()
  mock.handle({
    lockDomain: () => problem('conflict', { detail: 'A wildcard follows its base domain.' }),
  })
  await hands.click(administration.getByRole('button', { name: 'Lock' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Lock home.example.net?' }))
  await hands.click(dialog.getByRole('button', { name: 'Lock' }))
  expect(await screen.findByText('A wildcard follows its base domain.')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(administration.getByRole('button', { name: 'Lock' })).toBeDefined()
})

test('a wildcard links to its domain', async () => {
  const wildcard = domain({
    id: '44',
    fqdn: '*.home.example.net',
    is_wildcard: true,
    base_id: '42',
  })
  const { administration } = await openDomain(wildcard)
  expect(administration.queryByRole('button')).toBeNull()
  expect(administration.getByRole('link', { name: 'the domain' }).getAttribute('href')).toBe(
    '/admin/domains/42/show',
  )
})

test('a deleted domain is reported, and a domain that fails to load can be loaded again', async () => {
  serveDomains()
  const hands = open('/domains/42/show')
  expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined()
  serveDomains(domain())
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'home.example.net' })).toBeDefined()
})
