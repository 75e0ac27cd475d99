import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { mock, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const IPV4 = 'IPv4 address'
const IPV6 = 'IPv6 address'

/** Opens the dialog of a domain with an IPv4 address. */
async function openDialog() {
  const kept = serveDomains(domain({ version: 3 }))
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'Update home.example.net' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Update home.example.net' }))
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const press = async (name: string) => hands.click(dialog.getByRole('button', { name }))
  return { kept, hands, dialog, field, press }
}

/** The versions in the `If-Match` headers of the changes. */
const versions = () =>
  mock.calls.filter(({ id }) => id === 'updateDomain').map(({ headers }) => headers.get('if-match'))

test('only changes are sent, with the version that the user saw, and can be undone', async () => {
  const { kept, hands, field, press } = await openDialog()
  expect(field(IPV4).getAttribute('value')).toBe('198.51.100.7')
  await fill(hands, field(IPV4), ' 198.51.100.8 ')
  await press('Update')
  await hands.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('home.example.net has its previous address again.')).toBeDefined()
  expect(mock.bodiesOf('updateDomain')).toEqual([
    { record_ipv4: '198.51.100.8' },
    { record_ipv4: '198.51.100.7' },
  ])
  expect([versions(), kept[0]?.record_ipv4]).toEqual([['"3"', '"4"'], '198.51.100.7'])
})

test('an empty field removes the address of its family and keeps the other', async () => {
  const { hands, field, press } = await openDialog()
  await fill(hands, field(IPV4), '')
  await fill(hands, field(IPV6), '2001:db8::7')
  await press('Update')
  await waitFor(() =>
    expect(mock.bodiesOf('updateDomain')).toEqual([
      { record_ipv4: null, record_ipv6: '2001:db8::7' },
    ]),
  )
})

test('the form cannot be submitted without a change', async () => {
  const { dialog } = await openDialog()
  expect(dialog.getByRole('button', { name: 'Update' })).toHaveProperty('disabled', true)
})

test('another client’s change is shown before it is replaced', async () => {
  const { kept, hands, dialog, field, press } = await openDialog()
  kept[0] = domain({ version: 9, record_ipv4: '198.51.100.99' })
  await fill(hands, field(IPV4), '198.51.100.8')
  await press('Update')
  const row = await dialog.findByRole('row', { name: /^IPv4/ })
  await waitFor(() => expect(row.textContent).toBe('IPv4198.51.100.99198.51.100.8'))
  expect(kept[0]?.version).toBe(9)
  await press('Save Mine')
  expect(await screen.findByText('home.example.net was updated.')).toBeDefined()
  expect([versions(), kept[0]?.record_ipv4]).toEqual([['"3"', '"9"'], '198.51.100.8'])
})

test('an undo after another change does nothing, and says so', async () => {
  const { kept, hands, field, press } = await openDialog()
  await fill(hands, field(IPV4), '198.51.100.8')
  await press('Update')
  const undo = await screen.findByRole('button', { name: 'Undo' })
  kept[0] = domain({ version: 9, record_ipv4: '198.51.100.99' })
  await hands.click(undo)
  expect(await screen.findByText(/^The change was not undone\. /)).toBeDefined()
  expect(kept[0]?.record_ipv4).toBe('198.51.100.99')
})

test('an address that the service refuses is reported beside its field', async () => {
  const { hands, field, press } = await openDialog()
  const errors = [{ field: 'record_ipv6', message: 'fe80::1 cannot be used.' }]
  mock.handle({ updateDomain: () => problem('address-not-allowed', { errors }) })
  await fill(hands, field(IPV6), 'fe80::1')
  await press('Update')
  const told = await screen.findByText('fe80::1 cannot be used.')
  expect(field(IPV6).getAttribute('aria-describedby')).toBe(told.id)
  expect(field(IPV4).getAttribute('aria-describedby')).toBeNull()
})
