/** A call that the service does not take before it knows who asks: it waits for the answer, and is then sent again. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const factors = exampleOf('getSecondFactors')
const NONE = { ...factors, is_on: false, methods: [] }
const SECRET = 'ut_4mTq9zX0secret'

/** The question, which comes before an update token is made. @param ways of the account */
async function openQuestion(ways: typeof factors = NONE) {
  mock.hasFreshProof = false
  serveDomains(domain())
  mock.handle({
    getUpdateToken: () => problem('no-update-token'),
    createUpdateToken: () => ok({ ...exampleOf('createUpdateToken'), token: SECRET }),
    getSecondFactors: () => ok(ways),
  })
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'How to Update home.example.net' }))
  await hands.click(await screen.findByRole('button', { name: 'Make Update Token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It’s You' }))
  const press = async (name: string) => hands.click(dialog.getByRole('button', { name }))
  return { hands, dialog, press }
}

function confirmed() {
  mock.hasFreshProof = true
  return ok(exampleOf('confirmIdentity'))
}

/** How often an update token was asked for. */
const timesAsked = () => mock.bodiesOf('createUpdateToken').length

test('a password lets the call through, once', async () => {
  mock.handle({ confirmIdentity: confirmed })
  const { hands, dialog, press } = await openQuestion()
  await fill(hands, await dialog.findByLabelText('Password'), 'correct horse')
  await press('Confirm')
  expect(await screen.findByText(SECRET)).toBeDefined()
  expect([mock.bodiesOf('confirmIdentity'), timesAsked()]).toEqual([
    [{ password: 'correct horse' }],
    2,
  ])
})

test('an account with an app is asked for its code, or for one that was kept', async () => {
  mock.handle({ confirmIdentity: confirmed })
  const { hands, dialog, press } = await openQuestion({ ...factors, methods: ['totp'] })
  const field = await dialog.findByRole('textbox', { name: /^Code of your authenticator app/ })
  await fill(hands, field, ' 7QK2MDE-0XW9T4V ')
  await press('Confirm')
  expect(await screen.findByText(SECRET)).toBeDefined()
  expect(mock.bodiesOf('confirmIdentity')).toEqual([{ recovery_code: '7QK2MDE-0XW9T4V' }])
})

test('what is wrong is said at the field, and can be typed again', async () => {
  const errors = [{ field: 'password', message: 'The password is wrong.' }]
  mock.handle({ confirmIdentity: () => problem('validation-failed', { errors }) })
  const { hands, dialog, press } = await openQuestion()
  await fill(hands, await dialog.findByLabelText('Password'), 'wrong')
  await press('Confirm')
  const told = await dialog.findByText('The password is wrong.')
  const field = dialog.getByLabelText('Password')
  expect([field.getAttribute('aria-describedby'), field]).toEqual([
    told.id,
    expect.objectContaining({ value: '' }),
  ])
  expect(timesAsked()).toBe(1)
})

test('Cancel makes nothing, and complains of nothing', async () => {
  const { press } = await openQuestion()
  await press('Cancel')
  await waitFor(() =>
    expect(screen.getAllByRole('dialog').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Make Update Token'),
    ]),
  )
  expect([screen.queryByRole('alert'), timesAsked()]).toEqual([null, 1])
})

test('a passkey that this browser cannot use is said to be the only way', async () => {
  const { dialog } = await openQuestion({ ...factors, methods: ['passkey'] })
  expect(await dialog.findByText(/^Your passkey cannot be used in this browser\./)).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveProperty('disabled', true)
})
