import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const ZONES = [{ zone: 'example.net' }, { zone: 'eu.example.net' }]

/** Opens the dialog, with one domain and two zones. */
async function openDialog() {
  serveDomains(domain())
  mock.handle({ listAvailableZones: () => ok(ZONES) })
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'Add Domain' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }))
  const field = (name: string) => dialog.getByRole('textbox', { name })
  return {
    hands,
    dialog,
    field,
    subdomain: () => field('Subdomain'),
    add: async () => hands.click(dialog.getByRole('button', { name: 'Add Domain' })),
  }
}

test('a domain is added and appears in the table', async () => {
  const { hands, dialog, subdomain, add } = await openDialog()
  await fill(hands, subdomain(), 'Office')
  await hands.selectOptions(dialog.getByRole('combobox', { name: 'Zone' }), 'eu.example.net')
  expect(dialog.getByText('office.eu.example.net')).toBeDefined()
  await add()
  expect(
    await screen.findByText('office.eu.example.net was added and is live in DNS.'),
  ).toBeDefined()
  // The next step is the router.
  const next = await screen.findByRole('dialog', { name: 'How to update office.eu.example.net' })
  await hands.click(within(next).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('row', { name: /^office\.eu/ })).toBeDefined()
  expect(location.hash).toBe('#dashboard')
  expect(mock.bodiesOf('createDomain')).toEqual([
    { fqdn: 'office.eu.example.net', zone: 'eu.example.net', rrtype: 'A' },
  ])
})

test('the address sets the type, and can be the caller’s own', async () => {
  mock.handle({ nicCheckAddress: () => ok('2001:db8::7\n') })
  const { hands, dialog, field, subdomain, add } = await openDialog()
  await fill(hands, subdomain(), 'office')
  await hands.click(dialog.getByRole('button', { name: 'Use my address' }))
  await waitFor(() =>
    expect(field('Initial IP (optional)').getAttribute('value')).toBe('2001:db8::7'),
  )
  await add()
  await waitFor(() =>
    expect(mock.bodiesOf('createDomain')).toEqual([
      { fqdn: 'office.example.net', zone: 'example.net', rrtype: 'AAAA', record_ip: '2001:db8::7' },
    ]),
  )
})

test('the form cannot be submitted without a subdomain', async () => {
  const { dialog } = await openDialog()
  expect(dialog.getByRole('button', { name: 'Add Domain' })).toHaveProperty('disabled', true)
})

test.each([
  ['name-taken', 'The name is taken.'],
  ['name-not-allowed', 'The name is reserved.'],
  ['name-reserved', 'Its last owner may have it back.'],
  ['domain-locked', 'It lies below a locked domain.'],
] as const)('%s is shown beside the domain, and the dialog stays', async (code, detail) => {
  const { hands, dialog, subdomain, add } = await openDialog()
  mock.handle({ createDomain: () => problem(code, { detail }) })
  await fill(hands, subdomain(), 'office')
  await add()
  const told = await dialog.findByRole('alert')
  expect(told.textContent).toBe(detail)
  expect(subdomain().getAttribute('aria-describedby')).toBe(told.id)
  await hands.type(subdomain(), '2')
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('an invalid address is reported beside the address', async () => {
  const { hands, dialog, field, subdomain, add } = await openDialog()
  const errors = [{ field: 'record_ip', message: '127.1 is not an IP address.' }]
  mock.handle({ createDomain: () => problem('validation-failed', { errors }) })
  await fill(hands, subdomain(), 'office')
  await fill(hands, field('Initial IP (optional)'), '127.1')
  await add()
  const told = await dialog.findByText('127.1 is not an IP address.')
  expect(field('Initial IP (optional)').getAttribute('aria-describedby')).toBe(told.id)
})

test('any other error is shown above the fields, with the request id', async () => {
  const { hands, dialog, subdomain, add } = await openDialog()
  mock.handle({ createDomain: () => problem('domain-limit', { detail: 'Your plan is used up.' }) })
  await fill(hands, subdomain(), 'office')
  await add()
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Your plan is used up.Compare plansRequest request-1',
  )
})
