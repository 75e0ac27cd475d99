import { screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const listed = exampleOf('listPasskeys')

/** The browser supports passkeys, and its prompt ends like this. */
function stubBrowser(create: () => Promise<object>): void {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } })
}

const octets = (text: string) => new TextEncoder().encode(text).buffer
const credential = {
  id: 'AAAA',
  rawId: octets('a'),
  type: 'public-key',
  getClientExtensionResults: () => ({}),
  response: { clientDataJSON: octets('b'), attestationObject: octets('c') },
}

afterEach(() => void Reflect.deleteProperty(navigator, 'credentials'))

test('the first passkey gets a name, and comes with recovery codes', async () => {
  stubBrowser(async () => credential)
  mock.handle({
    listPasskeys: () => ok([]),
    addPasskey: () => ok({ ...exampleOf('addPasskey'), recovery_codes: ['7QK2MDE-0XW9T4V'] }),
  })
  const hands = openDashboard('#settings/passkeys')
  expect(await screen.findByText(/^You have no passkeys\./)).toBeDefined()
  await fill(hands, await screen.findByLabelText('Name of the passkey'), 'laptop')
  await hands.click(screen.getByRole('button', { name: 'Add Passkey' }))
  expect(await screen.findByText('7QK2MDE-0XW9T4V')).toBeDefined()
  expect(mock.bodiesOf('addPasskey')).toMatchObject([
    { name: 'laptop', credential: { id: 'AAAA' } },
  ])
})

test('a prompt that was closed is an error, and the name stays', async () => {
  stubBrowser(() => Promise.reject(new DOMException('closed', 'NotAllowedError')))
  const hands = openDashboard('#settings/passkeys')
  await fill(hands, await screen.findByLabelText('Name of the passkey'), 'laptop')
  await hands.click(screen.getByRole('button', { name: 'Add Passkey' }))
  expect(await screen.findByText('No passkey was created. Please try again.')).toBeDefined()
  expect(screen.getByLabelText('Name of the passkey')).toHaveProperty('value', 'laptop')
})

test('Ctrl+S saves a typed name, and does not ask for a passkey before', async () => {
  const create = vi.fn(async () => credential)
  stubBrowser(create)
  const hands = openDashboard('#settings/passkeys')
  const name = await screen.findByLabelText('Name of the passkey')
  await hands.keyboard('{Control>}s{/Control}')
  expect(mock.calls.map(({ id }) => id)).not.toContain('startPasskey')
  await fill(hands, name, 'laptop')
  await hands.keyboard('{Control>}s{/Control}')
  await vi.waitFor(() => expect(mock.bodiesOf('addPasskey')).toHaveLength(1))
})

test('a browser without passkeys says so', async () => {
  openDashboard('#settings/passkeys')
  expect(await screen.findByText(/^This browser cannot create a passkey here\./)).toBeDefined()
})

test('a passkey is renamed', async () => {
  const hands = openDashboard('#settings/passkeys')
  await hands.click(await screen.findByRole('button', { name: 'Rename laptop' }))
  const dialog = within(await screen.findByRole('dialog'))
  await fill(hands, dialog.getByRole('textbox'), 'the blue key')
  await hands.click(dialog.getByRole('button', { name: 'Rename' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(mock.bodiesOf('renamePasskey')).toEqual([{ name: 'the blue key' }])
})

test('the last second factor is removed after a question that says what follows', async () => {
  let passkeys = listed
  const factors = exampleOf('getSecondFactors')
  mock.handle({
    listPasskeys: () => ok(passkeys),
    getSecondFactors: () => ok({ ...factors, totp_since: null, passkeys: 1 }),
    removePasskey() {
      passkeys = []
      return problem('not-found')
    },
  })
  const hands = openDashboard('#settings/passkeys')
  await hands.click(await screen.findByRole('button', { name: 'Remove laptop' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText(/^It is your only second factor\./)).toBeDefined()
  await hands.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText(/^You have no passkeys\./)).toBeDefined()
})
