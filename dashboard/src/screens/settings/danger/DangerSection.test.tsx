import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

async function ask() {
  const hands = openDashboard('#settings/danger')
  await hands.click(await screen.findByRole('button', { name: 'Delete Account' }))
  const dialog = within(await screen.findByRole('dialog'))
  const send = () => dialog.getByRole('button', { name: 'Delete Account' })
  await fill(hands, dialog.getByLabelText('Password'), 'correct horse')
  return { hands, dialog, send }
}

test('the account is deleted with user name and password, and the user learns until when to return', async () => {
  const { hands, dialog, send } = await ask()
  expect(send()).toHaveProperty('disabled', true)
  await fill(hands, dialog.getByLabelText(/^Type your username/), 'ada')
  await hands.click(send())
  expect(
    await screen.findByText(/^You are signed out\. Your account will be deleted on/),
  ).toBeDefined()
  expect([location.hash, localStorage.getItem('user')]).toEqual(['#login', null])
  expect(mock.bodiesOf('deleteAccount')).toEqual([{ password: 'correct horse' }])
})

test('a wrong password is an error at its field, and the session continues', async () => {
  const errors = [{ field: 'password', message: 'This is not your current password.' }]
  mock.handle({ deleteAccount: () => problem('validation-failed', { errors }) })
  const { hands, dialog, send } = await ask()
  await fill(hands, dialog.getByLabelText(/^Type your username/), 'ada')
  await hands.click(send())
  expect(await dialog.findByText('This is not your current password.')).toBeDefined()
  expect(localStorage.getItem('token')).toBe('session')
})

test('an administrator learns what must happen first', async () => {
  const me = exampleOf('getMe')
  mock.handle({ getMe: () => ok({ ...me, account_type: 'admin', plan: 'admin' }) })
  openDashboard('#settings/danger')
  expect(
    await screen.findByText(/^The account of an administrator cannot be deleted/),
  ).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Delete Account' })).toBeNull()
})
