import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const SECRET = 'ut_4mTq9zX0secret'
const token = exampleOf('getUpdateToken')

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

/** Opens the dialog of a domain. */
async function openDialog(first: typeof token | undefined) {
  serveDomains(domain())
  serveToken(first)
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'How to Update home.example.net' }))
  const dialog = within(
    await screen.findByRole('dialog', { name: 'How to update home.example.net' }),
  )
  const press = async (name: string) => hands.click(await dialog.findByRole('button', { name }))
  return { hands, dialog, press }
}

test('shows the router settings, with a placeholder for a token that cannot be shown again', async () => {
  const { dialog } = await openDialog(token)
  const url = `${location.origin}/nic/update?hostname=home.example.net`
  expect(dialog.getByText(url)).toBeDefined()
  expect(dialog.getByText(`curl -u "ada:UPDATE_TOKEN" "${url}"`)).toBeDefined()
  expect(await dialog.findByText(/^Last used .* from 198\.51\.100\.7, by FRITZ!Box/)).toBeDefined()
})

test('a new token is shown once, and appears in the commands', async () => {
  const { hands, dialog, press } = await openDialog(undefined)
  await press('Create Update Token')
  expect(await dialog.findByText(SECRET)).toBeDefined()
  expect(dialog.getByText(`${location.origin}/u/${SECRET}`)).toBeDefined()
  expect(dialog.getByText('Waiting for the first update…')).toBeDefined()
  expect(mock.bodiesOf('createUpdateToken')).toEqual([{}])
  // Escape must not close the dialog while it shows the token.
  await hands.keyboard('{Escape}')
  expect(dialog.getByText(SECRET)).toBeDefined()
  await press("I've Saved the Token")
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a token is replaced after confirmation, because it can be in use', async () => {
  const { dialog, press } = await openDialog(token)
  await press('Replace Token')
  expect(dialog.getByRole('alert').textContent).toContain('stops working at once')
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
  mock.handle({ getUpdateToken: () => problem('forbidden', { detail: 'Not now.' }) })
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'How to Update home.example.net' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Not now.')
  serveToken(undefined)
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('button', { name: 'Create Update Token' })).toBeDefined()
})
