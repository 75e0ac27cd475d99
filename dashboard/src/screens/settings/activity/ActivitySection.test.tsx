import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { exampleOf, mock, ok } from '../../../../test/mock.ts'
import type { LoginAttempt } from '../../../api/sessions.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const [login] = exampleOf('listLogins') as [LoginAttempt]

const cells = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

test('sign-ins are listed with place, status and method, and filtered by status in the URL', async () => {
  mock.handle({
    listLogins: () =>
      ok([
        login,
        { ...login, ip: '2001:db8::7', cc: null, success: false },
        { ...login, cc: 'DE', success: false, method: 'password' },
      ]),
  })
  const hands = openDashboard('#settings/activity')
  const table = await screen.findByRole('table', { name: 'Recent Login Activity' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Date', 'IP Address', 'Location', 'Status', 'Method'])
  expect(cells()).toEqual([
    ['198.51.100.7', '🇸🇪 Sweden', 'Success', 'Password and authenticator code'],
    [
      '2001:db8::7',
      'Unknown',
      'Failed',
      'Password and authenticator codeThe password was correct.',
    ],
    ['198.51.100.7', '🇩🇪 Germany', 'Failed', 'Password'],
  ])
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Failed')
  expect(location.hash).toBe('#settings/activity?status=failed')
  expect(cells().length).toBe(2)
})

test('the sign-ins that are shown are saved as CSV', async () => {
  mock.handle({ listLogins: () => ok([login, { ...login, cc: null, success: false }]) })
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const hands = openDashboard('#settings/activity?status=failed')
  await hands.click(await screen.findByRole('button', { name: 'Download CSV' }))
  expect(await saved[0]?.text()).toBe(
    'Date,IP Address,Location,Status,Method\r\n' +
      `${login.time},198.51.100.7,,Failed,Password and authenticator code\r\n`,
  )
})

test('without failures the filter says so', async () => {
  openDashboard('#settings/activity?status=failed')
  expect(await screen.findByText('There were no failed attempts.')).toBeDefined()
})
