import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

/** Opens the dialog of a domain. */
async function openDialog(home = domain()) {
  const kept = serveDomains(home, domain({ id: '43', fqdn: 'office.example.net' }))
  const hands = openDashboard()
  await chooseInMenu(hands, home.fqdn, 'Delete')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete domain?' }))
  const confirm = async () => hands.click(dialog.getByRole('button', { name: 'Delete' }))
  return { kept, hands, dialog, confirm }
}

const rows = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

test('says what happens, and deletes the domain on confirmation', async () => {
  const { kept, confirm } = await openDialog()
  expect(screen.getByRole('dialog').textContent).toContain(
    'DNS stops answering for home.example.net and its records. Updates are refused.',
  )
  await confirm()
  await waitFor(() => expect(rows()).toEqual(['office.example.net']))
  expect(kept.map(({ fqdn }) => fqdn)).toEqual(['office.example.net'])
  // The button that opened the dialog disappeared with its row.
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Domains' })),
  )
})

test('without a response, says that the network failed', async () => {
  const { dialog, confirm } = await openDialog()
  mock.handle({ deleteDomain: () => Promise.reject(new TypeError('Failed to fetch')) })
  await confirm()
  expect((await dialog.findByRole('alert')).textContent).toBe('Network error. Please try again.')
})

test('Enter does not delete', async () => {
  const { hands, dialog } = await openDialog()
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }))
  await hands.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(mock.calls.some(({ id }) => id === 'deleteDomain')).toBe(false)
})

test('names what is deleted with the domain and how long it can be restored', async () => {
  const { dialog } = await openDialog(domain({ wildcard_enabled: true }))
  const { prefix } = exampleOf('getUpdateToken')
  expect(await dialog.findByText(`${prefix}…`)).toBeDefined()
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'its wildcard *.home.example.net',
    `its update token ${prefix}…: routers that use it are refused`,
  ])
  const text = screen.getByRole('dialog').textContent
  expect(text).toContain('can be restored for 30 days, with its records, history, note and tags')
  expect(text).toContain(
    'Its web forward to https://shop.example.com/start ends. A restored domain has it again.',
  )
})

test('the deletion can be undone, which restores the same domain', async () => {
  const { kept, hands, confirm } = await openDialog()
  await confirm()
  await hands.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('home.example.net was restored.')).toBeDefined()
  expect(kept.map(({ id }) => id)).toEqual(['43', '42'])
  expect(mock.bodiesOf('createDomain')).toEqual([])
})

test('the deletion of a wildcard is undone by creating it again', async () => {
  const { hands, confirm } = await openDialog(
    domain({ fqdn: '*.nas.example.net', is_wildcard: true }),
  )
  mock.handle({ createWildcard: () => ok(exampleOf('createWildcard')) })
  await confirm()
  await hands.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('*.nas.example.net was restored.')).toBeDefined()
  expect(mock.bodiesOf('createWildcard')).toEqual([{ base_fqdn: 'nas.example.net' }])
})

test('if it cannot be restored, a notice says why', async () => {
  const { hands, confirm } = await openDialog()
  await confirm()
  mock.handle({
    restoreDomain: () => problem('restore-refused', { detail: 'Your plan is used up.' }),
  })
  await hands.click(await screen.findByRole('button', { name: 'Undo' }))
  const told = 'home.example.net was not restored. Your plan is used up.'
  expect(await screen.findByText(told)).toBeDefined()
})

test('a domain that another client has deleted counts as deleted', async () => {
  const { kept, confirm } = await openDialog()
  kept.shift()
  await confirm()
  expect(await screen.findByText('home.example.net was deleted.')).toBeDefined()
})

test('an error is shown in the dialog, and the domain stays', async () => {
  const { dialog, confirm } = await openDialog()
  mock.handle({ deleteDomain: () => problem('domain-locked', { detail: 'It is locked.' }) })
  await confirm()
  expect((await dialog.findByRole('alert')).textContent).toContain('It is locked.')
  expect(screen.getAllByRole('rowheader', { hidden: true }).length).toBe(2)
})
