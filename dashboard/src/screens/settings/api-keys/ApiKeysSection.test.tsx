import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ApiKey } from '../../../api/api-keys.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const [example] = exampleOf('listApiKeys')
const DAY_MS = 86_400_000
const SECRET = 'ak_4mTq9zX0123456789abcdefghijklmnopqrs'

const apiKey = (changes: Partial<ApiKey> = {}): ApiKey => ({
  ...(example as ApiKey),
  created_at: new Date().toISOString(),
  ...changes,
})

/** Mocks the keys of the account. @returns the keys in memory, which calls change */
function serveKeys(...keys: readonly ApiKey[]): ApiKey[] {
  const kept = [...keys]
  mock.handle({
    listApiKeys: () => ok([...kept]),
    createApiKey({ body }) {
      const { name, expires_at = null, unused_days = null } = body
      const scope = { ...apiKey().scope, ...body.scope }
      const made = apiKey({ id: '9', name, scope, expires_at, unused_days })
      kept.unshift(made)
      return ok({ ...made, key: SECRET })
    },
    deleteApiKey({ params }) {
      kept.splice(
        kept.findIndex(({ id }) => id === params.id),
        1,
      )
      return ok()
    },
  })
  return kept
}

const open = (query = '') => openDashboard(`#settings/api-keys${query}`)
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const itemOf = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  return within(heading.closest('li') as HTMLElement)
}

test('each key says what it can do, when and by what it was used, and when it ends', async () => {
  const soon = new Date(Date.now() + 3.5 * DAY_MS).toISOString()
  serveKeys(
    apiKey({
      expires_at: soon,
      unused_days: null,
      last_used_at: new Date(Date.now() - 240_000).toISOString(),
      last_used_ip: '198.51.100.7',
      last_client: 'ddclient/4.0.0',
    }),
    apiKey({ id: '4', name: 'old', is_expired: true }),
  )
  open()
  const router = await itemOf('router')
  expect(router.getByText('Can read and update home.example.net.')).toBeDefined()
  expect(router.getByText(/Last used/).textContent).toBe(
    'Last used 4 min ago from 198.51.100.7 by ddclient/4.0.0',
  )
  expect(router.getByText('Expires in 4 days')).toBeDefined()
  const old = await itemOf('old')
  expect(old.getByText('Expired')).toBeDefined()
  expect(old.queryByRole('button', { name: 'Rotate old' })).toBeNull()
})

test('a plan without keys says what lifts it, and that update tokens work', async () => {
  mock.handle({ listApiKeys: () => problem('plan-required') })
  open()
  await screen.findByRole('heading', { name: 'API keys are not included in your plan' })
  expect(screen.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe('/pricing')
  expect(screen.getByText(/Update tokens work on every plan/)).toBeDefined()
  expect(await screen.findByText(/^With the Pro plan, programs can manage/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Create API Key' })).toBeNull()
})

test('a key is created with its scope, shown once, and kept in view until it is saved', async () => {
  mock.hasFreshProof = true
  serveKeys()
  const hands = open()
  expect(await screen.findByText(/^You have no API keys\./)).toBeDefined()
  await hands.click(await button('Create API Key'))
  expect(location.hash).toBe('#settings/api-keys?dialog=new')
  expect(screen.getByText('Please enter a name for the API key')).toBeDefined()
  expect((await button('Create API Key')).getAttribute('aria-disabled')).toBe('true')
  await fill(hands, screen.getByRole('textbox', { name: 'Name' }), ' router ')
  await hands.click(screen.getByRole('radio', { name: /^Router/ }))
  const domains = screen.getByRole('textbox', { name: 'Domains (optional)' })
  await fill(hands, domains, 'home.example.net\n*.ci.example.net')
  await hands.click(screen.getByRole('checkbox', { name: 'AAAA (IPv6)' }))
  expect(screen.getByText(/^Can update home\.example\.net and \*\.ci/).textContent).toMatch(
    /Sets only A records\. Expires on /,
  )
  await hands.click(await button('Create API Key'))

  const dialog = within(await screen.findByRole('dialog', { name: 'Save the API key “router”' }))
  const [body] = mock.bodiesOf('createApiKey') as [{ expires_at: string }]
  expect(body).toMatchObject({
    name: 'router',
    scope: {
      domains: ['home.example.net', '*.ci.example.net'],
      actions: ['update'],
      record_types: ['A'],
      networks: null,
    },
    unused_days: null,
  })
  expect(Math.round((Date.parse(body.expires_at) - Date.now()) / DAY_MS)).toBe(90)
  expect(dialog.queryByText(SECRET)).toBeNull()
  await hands.click(dialog.getByRole('button', { name: 'Reveal' }))
  expect(dialog.getByText(SECRET)).toBeDefined()

  await hands.keyboard('{Escape}')
  const leaving = new Event('beforeunload', { cancelable: true })
  dispatchEvent(leaving)
  expect([leaving.defaultPrevented, dialog.queryByText(SECRET)]).toEqual([true, expect.anything()])
  await hands.click(dialog.getByRole('button', { name: "I've saved this key" }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.hash).toBe('#settings/api-keys')
  expect(await itemOf('router')).toBeDefined()
})

test('the secret is copied in the format that a program takes', async () => {
  serveKeys()
  const hands = open('?dialog=new')
  await fill(hands, await screen.findByRole('textbox', { name: 'Name' }), 'router')
  await hands.click(await button('Create API Key'))
  const dialog = within(await screen.findByRole('dialog'))
  await hands.click(dialog.getByRole('radio', { name: '.env' }))
  expect(dialog.getByText(/HOMING_API_KEY=ak_4mTq9zX•/)).toBeDefined()
  await hands.click(dialog.getByRole('button', { name: 'Copy' }))
  expect(await dialog.findByRole('button', { name: 'Copied' })).toBeDefined()
  expect(await navigator.clipboard.readText()).toBe(
    `HOMING_URL=${location.origin}\nHOMING_API_KEY=${SECRET}`,
  )
})

test('an error of the service appears at its field, and everything typed stays', async () => {
  serveKeys()
  const message = '203.0.113.9/24 is not a network. Expected 203.0.113.0/24.'
  mock.handle({
    createApiKey: () =>
      problem('validation-failed', { errors: [{ field: 'scope.networks', message }] }),
  })
  const hands = open('?dialog=new')
  await fill(hands, await screen.findByRole('textbox', { name: 'Name' }), 'router')
  const networks = screen.getByRole('textbox', { name: 'Networks (optional)' })
  await fill(hands, networks, '203.0.113.9/24')
  await hands.click(await button('Create API Key'))
  const told = await screen.findByText(message)
  expect([networks.getAttribute('aria-describedby'), networks]).toEqual([
    told.id,
    expect.objectContaining({ value: '203.0.113.9/24' }),
  ])
})

test('a key that never expires is allowed, and said', async () => {
  serveKeys()
  const hands = open('?dialog=new')
  await fill(hands, await screen.findByRole('textbox', { name: 'Name' }), 'server')
  await hands.selectOptions(screen.getByLabelText('Expires'), 'Never')
  expect(screen.getByText(/^This key works until you delete it\./)).toBeDefined()
  await hands.click(await button('Create API Key'))
  await screen.findByRole('dialog')
  expect(mock.bodiesOf('createApiKey')).toMatchObject([{ expires_at: null }])
})

test('an edit sends only what changed, for the version that the user saw', async () => {
  const kept = serveKeys(apiKey())
  mock.handle({
    updateApiKey({ body, headers }) {
      const [key = apiKey()] = kept
      if (headers.get('if-match') !== `"${key.version}"`) return problem('version-mismatch')
      kept[0] = { ...key, ...body, version: key.version + 1 }
      return ok(kept[0])
    },
  })
  const hands = open()
  await hands.click(await button('Edit router'))
  expect(location.hash).toBe('#settings/api-keys?dialog=edit&id=3')
  expect((await button('Save Changes')).getAttribute('aria-disabled')).toBe('true')
  // Another client narrows the key meanwhile.
  kept[0] = apiKey({ version: 2, scope: { ...apiKey().scope, networks: ['192.0.2.0/24'] } })
  await fill(hands, screen.getByRole('textbox', { name: 'Name' }), 'attic')
  await hands.click(await button('Save Changes'))
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Another client has changed this key\..*Works only from 192\.0\.2\.0\/24\./,
  )
  await hands.click(await button('Save Changes'))
  expect(await screen.findByText('The API key attic was changed.')).toBeDefined()
  expect(mock.bodiesOf('updateApiKey')[0]).toEqual({ name: 'attic' })
  expect(await itemOf('attic')).toBeDefined()
})

/** Changes the name of a key that another client has changed meanwhile. */
async function editChanged() {
  const kept = serveKeys(apiKey())
  mock.handle({ updateApiKey: () => problem('version-mismatch') })
  const hands = open()
  await hands.click(await button('Edit router'))
  await fill(hands, screen.getByRole('textbox', { name: 'Name' }), 'attic')
  return { kept, hands, save: async () => hands.click(await button('Save Changes')) }
}

test('an edit of a key that another client has deleted says so', async () => {
  const { kept, save } = await editChanged()
  kept.length = 0
  await save()
  expect(
    await screen.findByText(
      'Another client has deleted the API key router. Your changes were not saved.',
    ),
  ).toBeDefined()
})

test('a version of another client that cannot be loaded is an error with Retry', async () => {
  const { kept, hands, save } = await editChanged()
  mock.handle({ listApiKeys: () => problem('rate-limited', { detail: 'Too many.' }) })
  await save()
  const panel = within(screen.getByRole('region', { name: 'Edit “router”' }))
  expect((await panel.findByRole('alert')).textContent).toContain('Too many.')
  mock.handle({ listApiKeys: () => ok([...kept]) })
  await hands.click(panel.getByRole('button', { name: 'Retry' }))
  expect(await panel.findByText(/^Another client has changed this key\./)).toBeDefined()
})

test('rotating keeps the former secret as long as the user chooses', async () => {
  serveKeys(apiKey())
  const rotated = exampleOf('rotateApiKey')
  mock.handle({ rotateApiKey: () => ok({ ...rotated, key: SECRET }) })
  const hands = open()
  await hands.click(await button('Rotate router'))
  await hands.click(await screen.findByRole('radio', { name: 'Works for 7 days' }))
  await hands.click(await button('Rotate'))
  expect(await screen.findByText(/^The former secret, which starts with/)).toBeDefined()
  expect(mock.bodiesOf('rotateApiKey')).toEqual([{ overlap_hours: 168 }])
})

test('a test says why the key may not make a call', async () => {
  serveKeys(apiKey())
  const reason = 'This API key is not allowed to delete. Its scope allows: read, update.'
  mock.handle({ testApiKey: () => ok({ is_allowed: false, reasons: [reason] }) })
  const hands = open()
  await hands.click(await button('Test router'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Test “router”' }))
  await hands.selectOptions(dialog.getByLabelText('Action'), 'delete')
  await fill(hands, dialog.getByLabelText('From the address (optional)'), '203.0.113.7')
  await hands.click(dialog.getByRole('button', { name: 'Test' }))
  expect((await dialog.findByRole('status')).textContent).toBe(`Refused${reason}`)
  expect(mock.calls.find(({ id }) => id === 'testApiKey')?.query).toEqual({
    action: 'delete',
    domain: 'home.example.net',
    ip: '203.0.113.7',
  })
})

test('a key is deleted after the question', async () => {
  serveKeys(apiKey(), apiKey({ id: '4', name: 'pipeline' }))
  const hands = open()
  await hands.click(await button('Delete router'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “router”?' }))
  expect(
    dialog.getByText('Are you sure you want to delete this API key? This action cannot be undone.'),
  ).toBeDefined()
  await hands.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('API key deleted successfully')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'router' })).toBeNull())
  expect(await itemOf('pipeline')).toBeDefined()
})
