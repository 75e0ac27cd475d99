import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

const ZONES = [{ zone: 'example.net' }, { zone: 'eu.example.net' }]

/** Opens the dialog, with one domain and two zones. */
async function openDialog() {
  serveDomains(domain())
  mock.handle({ listAvailableZones: () => ok(ZONES) })
  const hands = openDashboard()
  await hands.click(await screen.findByRole('button', { name: 'Add Domain' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }))
  const field = (name: string) => dialog.getByRole('textbox', { name })
  return {
    hands,
    dialog,
    field,
    subdomain: () => field('Subdomain'),
    add: async () => hands.click(dialog.getByRole('button', { name: 'Add Domain' })),
  }
}

test('a domain is added and appears in the table', async () => {
  const { hands, dialog, subdomain, add } = await openDialog()
  await fill(hands, subdomain(), 'Office')
  await hands.selectOptions(dialog.getByRole('combobox', { name: 'Zone' }), 'eu.example.net')
  expect(dialog.getByText('office.eu.example.net')).toBeDefined()
  await add()
  expect(
    await screen.findByText(
      'office.eu.example.net was added. DNS answers with its address after the first update.',
    ),
  ).toBeDefined()
  // The next step is the router.
  const next = await screen.findByRole('dialog', { name: 'How to update office.eu.example.net' })
  await hands.click(within(next).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('row', { name: /^office\.eu/ })).toBeDefined()
  await waitFor(() => expect(location.hash).toBe('#dashboard'))
  expect(mock.bodiesOf('createDomain')).toEqual([
    { fqdn: 'office.eu.example.net', zone: 'eu.example.net', rrtype: 'A' },
  ])
})

test('the address sets the type, and can be the caller’s own', async () => {
  mock.handle({ nicCheckAddress: () => ok('2001:db8::7\n') })
  const { hands, dialog, field, subdomain, add } = await openDialog()
  await fill(hands, subdomain(), 'office')
  await hands.click(dialog.getByRole('button', { name: 'Use my address' }))
  await waitFor(() =>
    expect(field('Initial IP (optional)').getAttribute('value')).toBe('2001:db8::7'),
  )
  await add()
  await waitFor(() =>
    expect(mock.bodiesOf('createDomain')).toEqual([
      { fqdn: 'office.example.net', zone: 'example.net', rrtype: 'AAAA', record_ip: '2001:db8::7' },
    ]),
  )
})

test('the form cannot be submitted without a subdomain', async () => {
  const { dialog } = await openDialog()
  expect(dialog.getByRole('button', { name: 'Add Domain' })).toHaveProperty('disabled', true)
})

test.each([
  ['name-taken', 'The name is taken.'],
  ['name-not-allowed', 'The name is reserved.'],
  ['name-reserved', 'Its last owner may have it back.'],
  ['domain-locked', 'It lies below a locked domain.'],
] as const)('%s is shown beside the domain, and the dialog stays', async (code, detail) => {
  const { hands, dialog, subdomain, add } = await openDialog()
  mock.handle({ createDomain: () => problem(code, { detail }) })
  await fill(hands, subdomain(), 'office')
  await add()
  const told = await dialog.findByRole('alert')
  expect(told.textContent).toBe(detail)
  expect(subdomain().getAttribute('aria-describedby')).toBe(told.id)
  await hands.type(subdomain(), '2')
  expect(dialog.queryByRole('alert')).toBeNull()
})

test('an invalid address is reported beside the address', async () => {
  const { hands, dialog, field, subdomain, add } = await openDialog()
  const errors = [{ field: 'record_ip', message: '0.0.0.0 is not allowed.' }]
  mock.handle({ createDomain: () => problem('address-not-allowed', { errors }) })
  await fill(hands, subdomain(), 'office')
  await fill(hands, field('Initial IP (optional)'), '0.0.0.0')
  await add()
  const told = await dialog.findByText('0.0.0.0 is not allowed.')
  expect(field('Initial IP (optional)').getAttribute('aria-describedby')).toBe(told.id)
})

test('any other error is shown above the fields, with the request id', async () => {
  const { hands, dialog, subdomain, add } = await openDialog()
  mock.handle({ createDomain: () => problem('domain-limit', { detail: 'Your plan is used up.' }) })
  await fill(hands, subdomain(), 'office')
  await add()
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Your plan is used up.Compare plansRequest request-1',
  )
})

describe('while typing', () => {
  test('a name is checked, and a free one can be chosen in place of one that is taken', async () => {
    const { hands, dialog, subdomain, add } = await openDialog()
    await fill(hands, subdomain(), 'office')
    expect(await dialog.findByText('Available')).toBeDefined()
    await fill(hands, subdomain(), 'home')
    const reason = await dialog.findByRole('alert')
    expect(reason.textContent).toBe(
      'home.example.net is already registered. Choose another domain.',
    )
    expect(subdomain().getAttribute('aria-describedby')).toBe(reason.id)
    const offers = within(await dialog.findByRole('group', { name: 'Available domains' }))
    expect(offers.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'home.eu.example.net',
      'home2.example.net',
      'my-home.example.net',
    ])
    await hands.click(offers.getByRole('button', { name: 'home.eu.example.net' }))
    expect(subdomain()).toHaveProperty('value', 'home')
    await add()
    await screen.findByText(/^home\.eu\.example\.net was added\./)
  })

  test('a word is asked for once, after the typing', async () => {
    const { hands, dialog, subdomain } = await openDialog()
    await hands.type(subdomain(), 'office')
    await dialog.findByText('Available')
    const asked = mock.calls.filter(({ id }) => id === 'checkNewDomain').map(({ query }) => query)
    expect(asked).toEqual([{ fqdn: 'office.example.net', zone: 'example.net' }])
  })

  test('a text that is not an address is not sent, and a private address is warned about', async () => {
    const { hands, dialog, field, subdomain, add } = await openDialog()
    await fill(hands, subdomain(), 'office')
    await fill(hands, field('Initial IP (optional)'), '198.51.100')
    expect(dialog.queryByRole('alert')).toBeNull()
    await add()
    expect((await dialog.findByRole('alert')).textContent).toMatch(/^198\.51\.100 is not an IP/)
    expect(mock.bodiesOf('createDomain')).toEqual([])
    await fill(hands, field('Initial IP (optional)'), '192.168.1.2')
    expect(dialog.getByText(/^192\.168\.1\.2 is a private address/)).toBeDefined()
    await add()
    await waitFor(() => expect(mock.bodiesOf('createDomain')).toHaveLength(1))
  })
})

test('a domain can have both addresses', async () => {
  mock.handle({ nicCheckAddress: () => ok('2001:db8::7\n') })
  const { hands, dialog, field, subdomain, add } = await openDialog()
  await fill(hands, subdomain(), 'office')
  await fill(hands, field('Initial IP (optional)'), '198.51.100.9')
  await hands.click(dialog.getByRole('button', { name: 'Use my address' }))
  await waitFor(() =>
    expect(field('IPv6 address (optional)').getAttribute('value')).toBe('2001:db8::7'),
  )
  await add()
  await waitFor(() =>
    expect(mock.bodiesOf('createDomain')).toEqual([
      {
        fqdn: 'office.example.net',
        zone: 'example.net',
        rrtype: 'A',
        record_ip: '198.51.100.9',
        record_ipv6: '2001:db8::7',
      },
    ]),
  )
  await screen.findByText('office.example.net was added and is live in DNS.')
})

test('Shift+Enter adds a domain and empties the form for another', async () => {
  const { hands, subdomain } = await openDialog()
  await fill(hands, subdomain(), 'office')
  await hands.keyboard('{Shift>}{Enter}{/Shift}')
  await screen.findByText(/^office\.example\.net was added\./)
  await waitFor(() => expect(subdomain()).toHaveProperty('value', ''))
  expect(document.activeElement).toBe(subdomain())
  await fill(hands, subdomain(), 'nas')
  await hands.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'How to update nas.example.net' })
  expect(mock.bodiesOf('createDomain')).toHaveLength(2)
})

test('a call whose response was lost is repeated with its key; a refused one gets another', async () => {
  const { hands, dialog, subdomain, add } = await openDialog()
  mock.handle({ createDomain: () => Promise.reject(new TypeError('Failed to fetch')) })
  await fill(hands, subdomain(), 'office')
  await add()
  await dialog.findByText('Network error. Please try again.')
  expect(subdomain()).toHaveProperty('value', 'office')
  mock.handle({ createDomain: () => problem('name-taken') })
  await add()
  await waitFor(() => expect(mock.bodiesOf('createDomain')).toHaveLength(2))
  await dialog.findByText('Domain already registered.')
  await add()
  await waitFor(() => expect(mock.bodiesOf('createDomain')).toHaveLength(3))
  const [lost, again, later] = mock.calls
    .filter(({ id }) => id === 'createDomain')
    .map(({ headers }) => headers.get('idempotency-key'))
  expect(lost).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(lost)
  expect(later).not.toBe(lost)
})

test('at the limit, the dialog names the plan that lifts it', async () => {
  const limits = { domain_limit: 5, domain_count: 5, ttl: 3600, abilities: [] }
  mock.handle({ getMe: () => ok({ ...exampleOf('getMe'), limits }) })
  serveDomains(domain())
  const hands = openDashboard('#dashboard?dialog=add')
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }))
  const reason = await dialog.findByText(/or choose the Pro plan with 100 domains\.$/)
  expect(reason.textContent).toMatch(/^Your plan allows 5 domains and you have 5\. Delete one/)
  expect(dialog.getByRole('link', { name: 'Compare plans' })).toBeDefined()
  await fill(hands, dialog.getByRole('textbox', { name: 'Subdomain' }), 'office')
  expect(dialog.getByRole('button', { name: 'Add Domain' })).toHaveProperty('disabled', true)
})

describe('a pasted list', () => {
  /** Refuses every line that is taken, as the service does. */
  function serveBatches(taken: string) {
    mock.handle({
      changeDomains({ body: { operations, dry_run: isDryRun = false } }) {
        const verdicts = operations.map(({ fqdn = null }, index) => ({
          index,
          op: 'create' as const,
          ok: fqdn !== taken,
          id: null,
          fqdn,
          ...(fqdn === taken && { code: 'name-taken' as const, detail: `${taken} is taken.` }),
        }))
        if (verdicts.every(({ ok: isAllowed }) => isAllowed)) {
          return ok({ applied: !isDryRun, verdicts })
        }
        const refusal = problem('batch-refused')
        return { ...refusal, problem: { ...refusal.problem, verdicts } }
      },
    })
  }
  const paste = async (text: string) => {
    const { hands, subdomain } = await openDialog()
    await hands.click(subdomain())
    await hands.paste(text)
    const dialog = within(await screen.findByRole('dialog', { name: 'Add domains' }))
    return { hands, dialog }
  }

  test('is checked, has a result for each line, and is added when all lines can be', async () => {
    serveBatches('home.example.net')
    const { hands, dialog } = await paste('nas 198.51.100.9\nhome\ncamera.eu.example.net')
    await dialog.findByText('home.example.net is taken.')
    expect(dialog.getByRole('status').textContent).toMatch(/^1 line of 3 cannot be added/)
    const lines = within(dialog.getByRole('list', { name: 'Results' })).getAllByRole('listitem')
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      'nas.example.net 198.51.100.9Can be added',
      'home.example.net home.example.net is taken.',
      'camera.eu.example.net Can be added',
    ])
    await hands.click(dialog.getByRole('button', { name: 'Remove these lines' }))
    await hands.click(dialog.getByRole('button', { name: 'Check Lines' }))
    await hands.click(await dialog.findByRole('button', { name: 'Add 2 Domains' }))
    await screen.findByText('2 domains were added.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const sent = mock.calls.filter(({ id }) => id === 'changeDomains')
    const operations = [
      { op: 'create', fqdn: 'nas.example.net', zone: 'example.net', record_ipv4: '198.51.100.9' },
      { op: 'create', fqdn: 'camera.eu.example.net', zone: 'eu.example.net' },
    ]
    expect(mock.bodiesOf('changeDomains').slice(1)).toEqual([
      { operations, dry_run: true },
      { operations, dry_run: false },
    ])
    expect(sent.map(({ headers }) => headers.has('idempotency-key'))).toEqual([false, false, true])
  })

  test('of more than 500 lines is not sent', async () => {
    const { dialog } = await paste(Array.from({ length: 501 }, (_, n) => `n${n}`).join('\n'))
    expect((await dialog.findByRole('alert')).textContent).toContain('Remove 1 of them')
    expect(dialog.getByRole('button', { name: 'Check Lines' })).toHaveProperty('disabled', true)
    expect(mock.bodiesOf('changeDomains')).toEqual([])
  })

  test('keeps its text when the service cannot be reached', async () => {
    mock.handle({ changeDomains: () => Promise.reject(new TypeError('Failed to fetch')) })
    const { dialog } = await paste('nas\ncamera')
    await dialog.findByText('Network error. Please try again.')
    expect(dialog.getByRole('textbox')).toHaveProperty('value', 'nas\ncamera')
    expect(dialog.getByRole('status').textContent).toBe('The lines are not checked yet.')
  })
})
