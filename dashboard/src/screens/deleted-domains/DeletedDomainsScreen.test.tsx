import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deletedDomain } from '../../../test/domains.ts'
import { exampleOf, listed, mock, ok, problem } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

const AT = '#deleted-domains'
const items = async () =>
  within(await screen.findByRole('list', { name: 'Deleted domains' })).getAllByRole('listitem')

test('lists what was deleted, until when and with what it can be restored', async () => {
  const deleted_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  mock.handle({
    listDeletedDomains: () =>
      ok([deletedDomain({ deleted_at, has_wildcard: true, has_monitor: true })]),
  })
  openDashboard(AT)
  const [item] = await items()
  expect(item?.textContent).toContain(
    'Deleted 3 days ago. Can be restored until 11 June 2026, with 198.51.100.7, its wildcard, its update token, its 2 records, its web forward and its monitor.',
  )
})

test('restores a domain, and explains why another one cannot be restored', async () => {
  let rows = [deletedDomain(), deletedDomain({ id: '43', fqdn: 'nas.example.net' })]
  mock.handle({
    listDeletedDomains: ({ query }) => listed(rows, query),
    restoreDomain({ params }) {
      if (params.id === '43') return problem('name-taken', { detail: 'It is registered already.' })
      rows = rows.filter(({ id }) => id !== params.id)
      return ok(exampleOf('restoreDomain'))
    },
  })
  const hands = openDashboard(AT)
  await hands.click(await screen.findByRole('button', { name: 'Restore home.example.net' }))
  expect(await screen.findByText('home.example.net was restored.')).toBeDefined()
  await waitFor(async () => expect(await items()).toHaveLength(1))
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  await hands.click(screen.getByRole('button', { name: 'Restore nas.example.net' }))
  const [item] = await items()
  const failure = await within(item as HTMLElement).findByRole('alert')
  expect(failure.textContent).toContain('It is registered already.')
})

test('pages are in the URL, and a page that no longer exists leads to the first', async () => {
  const rows = Array.from({ length: 51 }, (_, n) =>
    deletedDomain({ id: String(n + 1), fqdn: `host-${n}.example.net` }),
  )
  mock.handle({ listDeletedDomains: ({ query }) => listed(rows, query) })
  const hands = openDashboard(AT)
  await hands.click(await screen.findByRole('link', { name: 'Next' }))
  await waitFor(async () => expect(await items()).toHaveLength(1))
  expect(location.hash).toBe('#deleted-domains?page=2')
  expect(screen.getByText('51–51 of 51 domains')).toBeDefined()
  location.hash = '#deleted-domains?page=9'
  await waitFor(async () => expect(await items()).toHaveLength(50))
  expect(location.hash).toBe('#deleted-domains')
})

test('without deleted domains, it says so', async () => {
  mock.handle({ listDeletedDomains: () => ok([]) })
  openDashboard(AT)
  expect(await screen.findByText(/You deleted no domain within/)).toBeDefined()
})
