import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { lockedName, serveLockedNames } from '../../../test/records.ts'
import { cells, open } from '../../../test/screen.tsx'

const HOME = lockedName({ id: '1', fqdn: 'home.example.net' })
const ORPHAN = lockedName({
  id: '2',
  fqdn: 'phish.example.net',
  domain_id: null,
  user_id: null,
  username: null,
  locked_by: null,
})

/** Opens the confirmation to clear a lock, from the list. */
async function askToClear(fqdn: string) {
  const kept = serveLockedNames(HOME, ORPHAN)
  const hands = open('/locked-names')
  await hands.click(await screen.findByRole('button', { name: `Clear the lock of ${fqdn}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Clear the lock of ${fqdn}?` }))
  const clear = async () => hands.click(dialog.getByRole('button', { name: 'Clear' }))
  return { kept, dialog, clear }
}

test('each row shows the locked name, its last owner, and the administrator', async () => {
  serveLockedNames(HOME, ORPHAN)
  open('/locked-names')
  const link = await screen.findByRole('link', { name: 'home.example.net' })
  expect(link.getAttribute('href')).toBe('/admin/domains/42/show')
  const [orphan = [], home = []] = cells()
  expect([home[0], home[1], home[3]]).toEqual(['home.example.net', HOME.username, HOME.locked_by])
  expect([orphan[0], orphan[1], orphan[3]]).toEqual([
    'phish.example.net',
    'deleted account',
    'unknown',
  ])
})

test('the list can be filtered to names without a domain', async () => {
  serveLockedNames(HOME, ORPHAN)
  const hands = open('/locked-names')
  const states = within(await screen.findByRole('group', { name: 'Domain' }))
  await hands.click(await states.findByRole('button', { name: 'Without a domain1' }))
  await waitFor(() => expect(cells().map(([name]) => name)).toEqual(['phish.example.net']))
})

test.each([
  ['home.example.net', /^DNS serves the domain again/],
  ['phish.example.net', /^Users can register this name and the names below it again/],
])(
  'the lock of %s is cleared after confirmation, which describes the effects',
  async (fqdn, effect) => {
    const { kept, dialog, clear } = await askToClear(fqdn)
    expect(dialog.getByText(effect)).toBeDefined()
    expect(kept.length).toBe(2)
    await clear()
    expect(await screen.findByText(`The lock of ${fqdn} was cleared.`)).toBeDefined()
    await waitFor(() => expect(cells().map(([name]) => name)).not.toContain(fqdn))
    expect(kept.map((lock) => lock.fqdn)).not.toContain(fqdn)
  },
)

test('an error is shown, and the lock stays', async () => {
  const { kept, clear } = await askToClear('home.example.net')
  mock.handle({
    deleteLockedName: () => problem('not-found', { detail: 'There is no such lock.' }),
  })
  await clear()
  expect(await screen.findByText('There is no such lock.')).toBeDefined()
  expect(kept.length).toBe(2)
})
