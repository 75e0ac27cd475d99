import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const CODES = ['7QK2MDE-0XW9T4V', 'HB3ZRE6-5NCA8JY']
const factors = exampleOf('getSecondFactors')
const NONE = { ...factors, is_on: false, methods: [], totp_since: null, recovery_codes_left: 0 }

/** The account's factors, which turning the app on and off changes. */
let now: typeof factors

beforeEach(() => {
  now = NONE
  mock.handle({
    getSecondFactors: () => ok(now),
    confirmTotp() {
      now = factors
      return ok({ recovery_codes: CODES })
    },
    endTotp() {
      now = NONE
      return ok()
    },
    renewRecoveryCodes: () => ok({ recovery_codes: CODES }),
  })
})

const press = async (hands: UserEvent, name: string) =>
  hands.click(await screen.findByRole('button', { name }))

/** Confirms that the shown codes are saved. */
async function save(hands: UserEvent): Promise<void> {
  expect(await screen.findByText('HB3ZRE6-5NCA8JY')).toBeDefined()
  const done = screen.getByRole('button', { name: 'Done' })
  expect(done).toHaveProperty('disabled', true)
  await hands.click(screen.getByRole('checkbox', { name: 'I’ve saved these codes' }))
  await hands.click(done)
  expect(screen.queryByText('HB3ZRE6-5NCA8JY')).toBeNull()
}

test('the app is on after its first code, which submits itself; the recovery codes are shown once', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:codes' }))
  const hands = openDashboard('#settings/two-factor')
  await press(hands, 'Set Up Authenticator App')
  expect(await screen.findByRole('img', { name: /^QR code/ })).toBeDefined()
  expect(screen.getByText(/^JBSW Y3DP EHPK/)).toBeDefined()
  await hands.type(screen.getByRole('textbox', { name: 'Authenticator code' }), '123 456')
  expect(mock.bodiesOf('confirmTotp')).toEqual([{ code: '123456' }])
  await press(hands, 'Download Codes')
  await save(hands)
  expect(await screen.findByText(/signing in with your password requires a code/)).toBeDefined()
})

test('a wrong code is an error, and the next can be typed', async () => {
  const errors = [{ field: 'code', message: 'The code is wrong.' }]
  mock.handle({ confirmTotp: () => problem('validation-failed', { errors }) })
  const hands = openDashboard('#settings/two-factor')
  await press(hands, 'Set Up Authenticator App')
  await hands.type(await screen.findByRole('textbox', { name: 'Authenticator code' }), '123456')
  expect(await screen.findByText('The code is wrong.')).toBeDefined()
  const field = screen.getByRole('textbox', { name: 'Authenticator code' })
  expect([field, document.activeElement]).toEqual([expect.objectContaining({ value: '' }), field])
})

test('declining the confirmation of identity changes nothing and shows no error', async () => {
  mock.hasFreshProof = false
  const hands = openDashboard('#settings/two-factor')
  await press(hands, 'Set Up Authenticator App')
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It’s You' }))
  await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await screen.findByRole('button', { name: 'Set Up Authenticator App' })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('new codes replace the old ones after a question', async () => {
  now = { ...factors, recovery_codes_left: 2 }
  const hands = openDashboard('#settings/two-factor')
  expect(await screen.findByText(/^You have few recovery codes left/)).toBeDefined()
  await press(hands, 'Create New Codes')
  const dialog = within(await screen.findByRole('dialog'))
  await hands.click(dialog.getByRole('button', { name: 'Create New Codes' }))
  await save(hands)
})

test('the app is turned off after a question that says what follows, and a proof of identity', async () => {
  now = factors
  mock.hasFreshProof = false
  mock.handle({
    confirmIdentity() {
      mock.hasFreshProof = true
      return ok(exampleOf('confirmIdentity'))
    },
  })
  const hands = openDashboard('#settings/two-factor')
  await press(hands, 'Turn Off')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^Signing in then requires only your password/)).toBeDefined()
  await hands.click(dialog.getByRole('button', { name: 'Turn Off' }))
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm It’s You' }))
  await fill(hands, await proof.findByLabelText(/^Authenticator code/), '123456')
  await hands.click(proof.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('button', { name: 'Set Up Authenticator App' })).toBeDefined()
})
