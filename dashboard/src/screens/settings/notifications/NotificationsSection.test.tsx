import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, ok } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const saved = { address_changed: false, not_updated_days: null, key_expiring: true }

test('the chosen mails are saved together, and a wrong number of days is refused first', async () => {
  mock.handle({ getNotifications: () => ok(saved) })
  const hands = openDashboard('#settings/notifications')
  await hands.click(await screen.findByLabelText('A domain got no update for several days'))
  const days = screen.getByLabelText('Days without an update')
  const save = screen.getByRole('button', { name: 'Save Notifications' })
  await hands.clear(days)
  await fill(hands, days, '91')
  expect(screen.getByRole('alert').textContent).toBe('Enter a number from 1 to 90.')
  expect(save.getAttribute('aria-disabled')).toBe('true')
  await hands.click(screen.getByRole('link', { name: 'Sessions' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }))
  await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
  await hands.clear(days)
  await fill(hands, days, '14')
  await hands.click(save)
  expect(await screen.findByText('Your notifications were saved.')).toBeDefined()
  expect(mock.bodiesOf('updateNotifications')).toEqual([{ ...saved, not_updated_days: 14 }])
})
