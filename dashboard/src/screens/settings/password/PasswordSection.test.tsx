import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const field = async (name: string) => screen.findByLabelText(name)

async function type(hands: UserEvent, current: string, next: string, repeated = next) {
  await fill(hands, await field('Current Password'), current)
  await fill(hands, await field('New Password'), next)
  await fill(hands, await field('Confirm New Password'), repeated)
}
const send = (hands: UserEvent) =>
  hands.click(screen.getByRole('button', { name: 'Change Password' }))

test('a new password is sent, and the user sees what still works', async () => {
  const hands = openDashboard('#settings/password')
  await type(hands, 'correct horse', 'battery staple')
  await send(hands)
  expect(
    await screen.findByText('These still work: 1 API key, 2 update tokens and 1 trusted pipeline.'),
  ).toBeDefined()
  expect(mock.bodiesOf('changePassword')).toEqual([
    {
      current_password: 'correct horse',
      new_password: 'battery staple',
      revoke_credentials: false,
    },
  ])
  expect(await field('New Password')).toHaveProperty('value', '')
})

test('all other credentials are revoked on request', async () => {
  const none = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
  mock.handle({
    changePassword: () => ok({ ...exampleOf('changePassword'), working_credentials: none }),
  })
  const hands = openDashboard('#settings/password')
  await type(hands, 'correct horse', 'battery staple')
  await hands.click(screen.getByRole('checkbox', { name: /^Also revoke API keys/ }))
  await send(hands)
  expect(await screen.findByText(/^Nothing else can access your account/)).toBeDefined()
  expect(mock.bodiesOf('changePassword')).toMatchObject([{ revoke_credentials: true }])
})

test('passwords that differ are an error without a call', async () => {
  const hands = openDashboard('#settings/password')
  await type(hands, 'correct horse', 'battery staple', 'battery stable')
  await send(hands)
  expect(await screen.findByText('Passwords do not match')).toBeDefined()
  expect(document.activeElement).toBe(await field('Confirm New Password'))
  expect(mock.bodiesOf('changePassword')).toEqual([])
})

test('the confirmation of identity in the middle keeps the passwords and sends them again', async () => {
  let isConfirmed = false
  mock.handle({
    changePassword: () =>
      isConfirmed ? ok(exampleOf('changePassword')) : problem('step-up-required'),
    confirmIdentity() {
      isConfirmed = true
      return ok(exampleOf('confirmIdentity'))
    },
  })
  const hands = openDashboard('#settings/password')
  await type(hands, 'correct horse', 'battery staple')
  await send(hands)
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It’s You' }))
  await fill(hands, await dialog.findByLabelText(/^Authenticator code/), '123456')
  await hands.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText(/^Your password was changed\./)).toBeDefined()
  expect(mock.bodiesOf('changePassword').length).toBe(2)
})

test('the section says when the password was changed, if that is known', async () => {
  openDashboard('#settings/password')
  expect(await screen.findByText('Your password was changed on 10 May 2026.')).toBeDefined()
})
