import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { record, serveRecords, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, fill, open } from '../../../test/screen.tsx'

const ACME = record({
  id: '81',
  owner: '_acme-challenge.home.example.net',
  type: 'TXT',
  ttl: 60,
  values: ['"1"', '"2"', '"3"', `"${'4'.repeat(300)}"`],
  is_served: false,
})
const MAIL = record({
  id: '82',
  domain_id: null,
  fqdn: null,
  zone: 'example.com',
  owner: 'example.com',
  type: 'MX',
  values: ['10 mail.example.com.'],
  user_id: '8',
  username: 'bob',
})

test('each row shows name, type, TTL, values, domain or zone, and owner', async () => {
  serveRecords(ACME, MAIL)
  open('/records')
  const link = await screen.findByRole('link', { name: 'home.example.net' })
  expect(link.getAttribute('href')).toBe('/admin/domains/42/show')
  expect(screen.getByRole('link', { name: 'bob' }).getAttribute('href')).toBe('/admin/users/8')
  expect(cells().map((row) => row.slice(0, 6))).toEqual([
    ['example.com', 'MX', '60 minutes', '10 mail.example.com.', 'example.comown zone', 'bob'],
    [
      '_acme-challenge.home.example.netnot served',
      'TXT',
      '60 seconds',
      '"1""2""3"and 1 more',
      'home.example.net',
      'ada',
    ],
  ])
})

test('the list can be searched, and filtered by type', async () => {
  serveRecords(ACME, MAIL)
  const hands = open('/records')
  await screen.findByRole('link', { name: 'bob' })
  const names = () => cells().map(([name]) => name)
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'MX')
  await waitFor(() => expect(names()).toEqual(['example.com']))
  await fill(hands, screen.getByRole('searchbox', { name: 'Search name or value' }), '_acme')
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
})

test('the page of a user leads to their records', async () => {
  serveRecords(ACME, MAIL)
  serveUsers(user({ id: '8', username: 'bob' }))
  const hands = open('/users/8')
  await hands.click(await screen.findByRole('link', { name: '1 record' }))
  await waitFor(() => expect(cells().map(([name]) => name)).toEqual(['example.com']))
  expect(screen.getByRole('button', { name: 'Show the records of all users' })).toBeDefined()
})
