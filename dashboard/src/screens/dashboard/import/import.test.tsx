import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const bodies = () => mock.bodiesOf('changeDomains')
const rows = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)

test('lines are checked, and those that the rules allow are imported', async () => {
  serveDomains(domain())
  const verdict = { id: null, fqdn: null }
  const allowed = {
    ...verdict,
    index: 0,
    op: 'change',
    ok: true,
    fqdn: 'home.example.net',
  } as const
  mock.handle({
    changeDomains({ body }) {
      if (body.operations.length === 1) return ok({ applied: true, verdicts: [allowed] })
      const detail = 'www is reserved.'
      const bad = { ...verdict, index: 1, op: 'create', ok: false, detail } as const
      return problem('batch-refused', { verdicts: [allowed, bad] })
    },
  })
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'Import' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import domains' })
  expect(location.hash).toBe('#dashboard?dialog=import')
  const press = async (name: string) => hands.click(within(dialog).getByRole('button', { name }))
  const field = within(dialog).getByRole('textbox', { name: 'Or paste lines' })
  await fill(hands, field, 'a.example.net 192.0.2.1 192.0.2.2')
  await press('Check')
  expect((await within(dialog).findByRole('alert')).textContent).toMatch(/^Line 1 has two/)
  expect(bodies()).toEqual([])

  await fill(hands, field, 'home.example.net 192.0.2.9\nwww.example.net')
  await press('Check')
  await within(dialog).findByText(/^The rules refuse 1 of 2 lines\./)
  expect(rows(dialog)).toEqual(['2www.example.netwww is reserved.', '1home.example.netChanged'])
  await press('Import 1 Domain')
  await screen.findByText('1 domain imported.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const home = { op: 'change', fqdn: 'home.example.net', record_ipv4: '192.0.2.9' }
  const www = { op: 'create', fqdn: 'www.example.net' }
  expect(bodies()).toEqual([{ operations: [home, www], dry_run: true }, { operations: [home] }])
})
