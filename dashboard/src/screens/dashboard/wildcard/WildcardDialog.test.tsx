/** The dialog that creates a wildcard. */
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const me = (abilities: string[]) => {
  const example = exampleOf('getMe')
  return ok({ ...example, limits: { ...example.limits, abilities } })
}

async function openDialog(...rows: readonly ReturnType<typeof domain>[]) {
  serveDomains(...rows)
  const hands = openDashboard()
  await chooseInMenu(hands, 'home.example.net', 'Add Wildcard')
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Create wildcard for home.example.net' }),
  )
  const create = () => dialog.getByRole('button', { name: 'Create Wildcard' })
  return { hands, dialog, create }
}

test('says what the wildcard matches, by examples, and creates it', async () => {
  mock.handle({ getMe: () => me(['wildcard']) })
  const nas = domain({ id: '43', fqdn: 'nas.home.example.net' })
  const { hands, dialog, create } = await openDialog(domain(), nas)
  const rule = (name: string) =>
    within(dialog.getByRole('rowheader', { name }).closest('tr') as HTMLElement).getByRole('cell')
      .textContent
  await dialog.findByRole('rowheader', { name: 'nas.home.example.net' })
  expect(rule('anything.home.example.net')).toContain('*.home.example.net answers')
  expect(rule('nas.home.example.net')).toContain('Its own record answers')
  expect(rule('anything.nas.home.example.net')).toContain('Has no answer')
  await hands.click(create())
  expect(
    await screen.findByText('*.home.example.net was created and is live in DNS.'),
  ).toBeDefined()
  expect(mock.bodiesOf('createWildcard')).toEqual([{ base_fqdn: 'home.example.net' }])
  expect(await screen.findByText('Wildcard Active')).toBeDefined()
  await hands.click(screen.getByRole('button', { name: 'Actions for home.example.net' }))
  expect(screen.queryByRole('menuitem', { name: 'Add Wildcard' })).toBeNull()
})

test('a base without an address gets one first', async () => {
  mock.handle({ getMe: () => me(['wildcard']) })
  const { hands, dialog, create } = await openDialog(domain({ record_ipv4: null, record_ip: null }))
  expect((await dialog.findByRole('alert')).textContent).toContain(
    'home.example.net has no IP address',
  )
  expect(create()).toHaveProperty('disabled', true)
  await hands.click(dialog.getByRole('button', { name: 'Set an Address' }))
  expect(await screen.findByRole('dialog', { name: 'Update home.example.net' })).toBeDefined()
})

test('a plan without wildcards is named with the plans that have them', async () => {
  mock.handle({ getMe: () => me([]) })
  const { dialog, create } = await openDialog(domain())
  const refusal = await dialog.findByRole('alert')
  expect(refusal.textContent).toContain('Your plan does not include wildcards')
  expect(within(refusal).getByRole('link', { name: 'Compare plans' })).toBeDefined()
  expect(create()).toHaveProperty('disabled', true)
})

test('a refusal keeps the dialog', async () => {
  mock.handle({ getMe: () => me(['wildcard']) })
  const { hands, dialog, create } = await openDialog(domain())
  const detail = 'Another client was faster.'
  mock.handle({ createWildcard: () => problem('conflict', { detail }) })
  await hands.click(create())
  expect(await dialog.findByText(detail)).toBeDefined()
})
