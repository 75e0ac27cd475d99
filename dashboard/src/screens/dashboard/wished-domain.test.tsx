/** The domain that a visitor looked up before they signed up. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { rememberWish, wishedDomain } from '../../api/wish.ts'
import { serveDomains } from '../../../test/domains.ts'
import { mock, ok } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

beforeEach(() => {
  serveDomains()
  mock.handle({
    listAvailableZones: () => ok([{ zone: 'example.net' }, { zone: 'eu.example.net' }]),
  })
})

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Add domain' }))

test('is filled in after the sign-in, and is added', async () => {
  rememberWish('domain=home&zone=eu.example.net')
  const hands = openDashboard()
  const open = await dialog()
  await waitFor(() =>
    expect(open.getByRole('textbox', { name: 'Subdomain' })).toHaveProperty('value', 'home'),
  )
  expect(open.getByRole('combobox', { name: 'Zone' })).toHaveProperty('value', 'eu.example.net')
  await hands.click(open.getByRole('button', { name: 'Add Domain' }))
  await screen.findByText(/^home\.eu\.example\.net was added\./)
  expect(wishedDomain()).toBeUndefined()
})

test('is forgotten when the dialog is closed, and can be changed', async () => {
  rememberWish('domain=home.example.net')
  const hands = openDashboard()
  const open = await dialog()
  await open.findByText('home.example.net')
  await hands.type(open.getByRole('textbox', { name: 'Subdomain' }), '2')
  expect(await open.findByText('home2.example.net')).toBeDefined()
  expect(wishedDomain()).toBe('home.example.net')
  await hands.click(open.getByRole('button', { name: 'Cancel' }))
  expect(wishedDomain()).toBeUndefined()
})

test('in a zone that is not on offer leaves the field empty', async () => {
  rememberWish('domain=home.example.org')
  openDashboard()
  const open = await dialog()
  expect(open.getByRole('textbox', { name: 'Subdomain' })).toHaveProperty('value', '')
})

test('is forgotten on logout, and after a week', async () => {
  rememberWish('domain=home.example.net')
  const hands = openDashboard()
  await hands.click((await dialog()).getByRole('button', { name: 'Cancel' }))
  rememberWish('domain=home.example.net')
  await hands.click(screen.getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(wishedDomain()).toBeUndefined())
  const old = { domain: 'home.example.net', at: Date.now() - 8 * 86_400_000 }
  localStorage.setItem('wished_domain', JSON.stringify(old))
  expect(wishedDomain()).toBeUndefined()
})
