import { type BoundFunctions, type queries, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const SECRET = 'ut_4mTq9zX0secret'
const token = exampleOf('getUpdateToken')
const [call] = exampleOf('listUpdateCalls')
if (call === undefined) throw new Error('The contract has no example of an update call.')

/** Mocks the update token of a domain. @param first the existing token, if any */
function serveToken(first: typeof token | undefined): void {
  let kept = first
  const none = () => problem('no-update-token')
  mock.handle({
    getUpdateToken: () => (kept === undefined ? none() : ok(kept)),
    createUpdateToken({ body }) {
      if (kept !== undefined && body.replace !== true) return problem('update-token-exists')
      kept = { ...token, last_used_at: null, last_used_ip: null, last_client: null }
      return ok({ ...kept, token: SECRET })
    },
    deleteUpdateToken() {
      kept = undefined
      return ok()
    },
  })
}

type Calls = ReturnType<typeof exampleOf<'listUpdateCalls'>>

/** Opens the dialog of a domain. @param calls the update calls that the service has received */
async function openDialog(first: typeof token | undefined, calls: Calls = []) {
  serveDomains(domain())
  serveToken(first)
  mock.handle({ listUpdateCalls: () => ok(calls) })
  const hands = openDashboard()
  await chooseInMenu(hands, 'home.example.net', 'How to Update')
  const dialog = within(
    await screen.findByRole('dialog', { name: 'How to update home.example.net' }),
  )
  const press = async (name: string) => hands.click(await dialog.findByRole('button', { name }))
  const settingsOf = (device: string) => within(dialog.getByRole('region', { name: device }))
  return { hands, dialog, press, settingsOf }
}

/** The labels and values of the fields of a device. */
const fieldsIn = (list: BoundFunctions<typeof queries>) =>
  list
    .getAllByRole('term')
    .map(({ textContent, nextElementSibling }) => [textContent, nextElementSibling?.textContent])

test('a device is found by other words, and shows its fields in its own order', async () => {
  const { hands, dialog, press, settingsOf } = await openDialog(token)
  await hands.type(dialog.getByRole('searchbox', { name: 'What updates this domain?' }), 'AVM')
  await press('FRITZ!Box')
  expect(location.hash).toBe('#dashboard?dialog=how-to&id=42&part=fritzbox')
  const box = settingsOf('FRITZ!Box')
  // ddclient refuses the server `localhost`.
  const url = `${location.origin.replace('localhost', '127.0.0.1')}/nic/update?hostname=<domain>&myip=<ipaddr>`
  expect(fieldsIn(box)).toEqual([
    ['DynDNS Provider', 'User-defined'],
    ['Update URL', url],
    ['Domain name', 'home.example.net'],
    ['User name', 'home.example.net'],
    ['Password', 'the update token'],
  ])
  expect(box.getAllByRole('button', { name: /^Copy/ })).toHaveLength(3)
  await hands.click(box.getByRole('button', { name: 'IPv4 and IPv6' }))
  expect(box.getByText(`${url}&myipv6=<ip6addr>`)).toBeDefined()
})

test('all devices are one click away; a search without results offers the common settings', async () => {
  const { hands, dialog, press, settingsOf } = await openDialog(token)
  expect(dialog.queryByRole('button', { name: 'Home Assistant' })).toBeNull()
  await press('Show All 24')
  expect(dialog.getByRole('button', { name: 'Home Assistant' })).toBeDefined()
  await hands.type(dialog.getByRole('searchbox'), 'toaster')
  expect(dialog.getByText(/^No device matches “toaster”\./)).toBeDefined()
  await press('Show the settings for any router')
  expect(fieldsIn(settingsOf('Any router'))).toContainEqual(['Host name', 'home.example.net'])
})

test('a new token is shown once, fills the settings, and is not in the URL', async () => {
  const { hands, dialog, press, settingsOf } = await openDialog(undefined)
  await press('Create Update Token')
  expect(await dialog.findByText(SECRET)).toBeDefined()
  expect(mock.bodiesOf('createUpdateToken')).toEqual([{}])
  await press('UniFi')
  expect(fieldsIn(settingsOf('UniFi'))).toContainEqual(['Password', SECRET])
  expect(location.hash).not.toContain(SECRET)
  // Escape must not close the dialog while it shows the token.
  await hands.keyboard('{Escape}')
  expect(dialog.getAllByText(SECRET)).not.toEqual([])
  await press("I've Saved the Token")
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(location.hash).toBe('#dashboard'))
})

test('a configuration file is downloaded with the token, or with a placeholder and a hint', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  const { dialog, press } = await openDialog(token)
  await press('ddclient')
  await press('Download ddclient.conf')
  expect(await saved[0]?.text()).toContain("password='UPDATE_TOKEN'\nhome.example.net\n")
  expect(dialog.getByText('UPDATE_TOKEN').parentElement?.textContent).toBe(
    'Replace UPDATE_TOKEN with the update token.',
  )
  await press('Replace Token')
  await press('Replace')
  await dialog.findByText(SECRET)
  await press('Download ddclient.conf')
  expect(await saved[1]?.text()).toContain(`password='${SECRET}'\n`)
  expect(click.mock.contexts.at(-1)).toMatchObject({ download: 'ddclient.conf' })
})

test('a token is replaced after a question that says what stops working', async () => {
  const { dialog, press } = await openDialog(token)
  await press('Replace Token')
  expect(dialog.getByRole('alert').textContent).toMatch(
    /stops working at once.*last used .* by FRITZ!Box from 198\.51\.100\.7/,
  )
  expect(mock.bodiesOf('createUpdateToken')).toEqual([])
  await press('Replace')
  expect(await dialog.findByText(SECRET)).toBeDefined()
  expect(mock.bodiesOf('createUpdateToken')).toEqual([{ replace: true }])
})

test('Cancel keeps the token', async () => {
  const { dialog, press } = await openDialog(token)
  await press('Delete Token')
  await press('Cancel')
  expect(await dialog.findByRole('button', { name: 'Delete Token' })).toBeDefined()
  expect(mock.calls.some(({ id }) => id === 'deleteUpdateToken')).toBe(false)
})

test('a token is deleted, and another can be created', async () => {
  const { dialog, press } = await openDialog(token)
  await press('Delete Token')
  await press('Delete')
  expect(await dialog.findByRole('button', { name: 'Create Update Token' })).toBeDefined()
})

test('an error is shown, and the token stays', async () => {
  const { dialog, press } = await openDialog(token)
  mock.handle({
    createUpdateToken: () => problem('conflict', { detail: 'A wildcard has no token.' }),
  })
  await press('Replace Token')
  await press('Replace')
  expect((await dialog.findByRole('alert')).textContent).toContain('A wildcard has no token.')
  expect(dialog.getByText(token.prefix)).toBeDefined()
})

test('if the token cannot be loaded, the user can retry', async () => {
  serveDomains(domain())
  mock.handle({
    getUpdateToken: () => problem('forbidden', { detail: 'Not now.' }),
    listUpdateCalls: () => ok([]),
  })
  const hands = openDashboard()
  await chooseInMenu(hands, 'home.example.net', 'How to Update')
  expect((await screen.findByRole('alert')).textContent).toContain('Not now.')
  serveToken(undefined)
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('button', { name: 'Create Update Token' })).toBeDefined()
})

test('the test sends the request of a router, without the session', async () => {
  const { dialog, press } = await openDialog(token)
  const button = await dialog.findByRole('button', { name: 'Test Now' })
  expect(button).toHaveProperty('disabled', true)
  expect(
    document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
  ).toMatch(/^The test needs the update token/)
  await press('Replace Token')
  await press('Replace')
  await dialog.findByText(SECRET)
  mock.handle({ nicUpdate: () => ok('good 198.51.100.7\n') })
  await press('Test Now')
  const told = await dialog.findByText(/^The service answered/)
  expect(told.parentElement?.textContent).toBe(
    'The service answered good 198.51.100.7The address is stored; DNS answers with it a moment later.',
  )
  const sent = mock.calls.find(({ id }) => id === 'nicUpdate')
  expect(sent?.query).toEqual({ hostname: 'home.example.net' })
  expect(sent?.headers.get('authorization')).toBe(`Basic ${btoa(`home.example.net:${SECRET}`)}`)
})

test('the first call appears when it arrives', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  const { dialog } = await openDialog(token)
  expect(await dialog.findByText('Waiting for the first update…')).toBeDefined()
  mock.handle({ listUpdateCalls: () => ok([call]) })
  expect(
    await dialog.findByText(/^Received .* from 198\.51\.100\.7, client FRITZ!Box, answered/),
  ).toBeDefined()
})

test.each<[string, Partial<typeof call>, RegExp]>([
  [
    'a wrong password',
    { answer: 'badauth', is_refused: true },
    /^The device sent a wrong password\. .* which starts with ut_4mTq9zX\.$/,
  ],
  [
    'the password of the account',
    {
      answer: 'badauth',
      is_refused: true,
      hint: 'account-password-refused',
      hint_text: 'The device sends the password of your account.',
    },
    /^The device sends the password of your account\.$/,
  ],
  [
    'a text that is not an address',
    { answer: 'dnserr' },
    /^A domain cannot have this address\. Check it/,
  ],
])('a refused call is explained: %s', async (_, changes, cause) => {
  const { dialog } = await openDialog(token, [{ ...call, ...changes }])
  expect((await dialog.findByRole('alert')).textContent).toMatch(cause)
})

test('the response codes and the alternative paths are listed', async () => {
  const { hands, dialog } = await openDialog(token)
  await hands.click(dialog.getByText('Response codes'))
  const codes = dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(codes).toEqual(expect.arrayContaining(['good', 'nochg', 'badauth', 'nohost', 'dnserr']))
  await hands.click(dialog.getByText('Alternative update paths'))
  for (const path of ['/v2/update', '/dyndns/update', '/api/domains/nic/update']) {
    expect(dialog.getByText(path)).toBeDefined()
  }
})
