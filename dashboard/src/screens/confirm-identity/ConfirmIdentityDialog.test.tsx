/** A call that requires confirmation of identity: it waits for the user, and is then sent again. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const factors = exampleOf('getSecondFactors')
const NONE = { ...factors, is_on: false, methods: [] }
const SECRET = 'ut_4mTq9zX0secret'

/** Opens the prompt by creating an update token. @param ways the account's methods */
async function openQuestion(ways: typeof factors = NONE) {
  mock.hasFreshProof = false
  serveDomains(domain())
  mock.handle({
    getUpdateToken: () => problem('no-update-token'),
    createUpdateToken: () => ok({ ...exampleOf('createUpdateToken'), token: SECRET }),
    getSecondFactors: () => ok(ways),
  })
  const hands = openDashboard()
  await chooseInMenu(hands, 'home.example.net', 'How to Update')
  await hands.click(await screen.findByRole('button', { name: 'Create Update Token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm It’s You' }))
  const press = async (name: string) => hands.click(dialog.getByRole('button', { name }))
  return { hands, dialog, press }
}

function confirmed() {
  mock.hasFreshProof = true
  return ok(exampleOf('confirmIdentity'))
}

/** How often the app tried to create an update token. */
const timesAsked = () => mock.bodiesOf('createUpdateToken').length

test('a correct password sends the waiting call again, once', async () => {
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

test('an account with an authenticator app needs its code or a recovery code', async () => {
  mock.handle({ confirmIdentity: confirmed })
  const { hands, dialog, press } = await openQuestion({ ...factors, methods: ['totp'] })
  const field = await dialog.findByRole('textbox', { name: /^Authenticator code/ })
  await fill(hands, field, ' 7QK2MDE-0XW9T4V ')
  await press('Confirm')
  expect(await screen.findByText(SECRET)).toBeDefined()
  expect(mock.bodiesOf('confirmIdentity')).toEqual([{ recovery_code: '7QK2MDE-0XW9T4V' }])
})

test('a wrong password gives an error at the field, and can be typed again', async () => {
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

test('Cancel creates nothing and shows no error', async () => {
  const { press } = await openQuestion()
  await press('Cancel')
  await waitFor(() =>
    expect(screen.getAllByRole('dialog').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Create Update Token'),
    ]),
  )
  expect([screen.queryByRole('alert'), timesAsked()]).toEqual([null, 1])
})

test('when the only method is a passkey that this browser cannot use, the dialog says so', async () => {
  const { dialog } = await openQuestion({ ...factors, methods: ['passkey'] })
  expect(await dialog.findByText(/^This browser cannot use your passkey\./)).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveProperty('disabled', true)
})
