/** The page of a domain: its overview and its states. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { deletedDomain, domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const AT = '#domain/home.example.net'
const heading = async (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const textOf = async (name: string) => (await screen.findByRole('region', { name })).textContent

describe('the overview', () => {
  test('shows addresses with their age and client, and where the domain was created', async () => {
    const [event] = exampleOf('listDomainEvents')
    if (event === undefined) throw new Error('the contract has an example')
    const at = new Date(Date.now() - 4 * 60_000).toISOString()
    serveDomains(domain({ last_update_at: at, created_cc: 'DE', wildcard_enabled: true }))
    mock.handle({
      listDomainEvents: () =>
        ok([{ ...event, at, actor: 'update_token', client: 'Fritz!Box DDNS/1.0.1' }]),
    })
    openDashboard(AT)
    await heading('home.example.net')
    const addresses = await card('Addresses')
    expect(addresses.getByRole('button', { name: 'Copy IPv4 address' })).toBeDefined()
    await waitFor(async () =>
      expect(await textOf('Addresses')).toContain('Last update4 min ago, FRITZ!Box'),
    )
    expect(await textOf('Addresses')).toContain('IPv6 addressNot set')
    const details = await textOf('Details')
    expect(details).toMatch(/Created1 May 2026 from .*Germany/)
    expect((await card('Details')).getByRole('link', { name: 'Wildcard Active' })).toHaveProperty(
      'hash',
      '#domain/*.home.example.net',
    )
  })

  test('names an internationalized domain in both forms', async () => {
    serveDomains(domain({ fqdn: 'xn--bcher-kva.example.net' }))
    openDashboard('#domain/xn--bcher-kva.example.net')
    expect(await heading('bücher.example.net xn--bcher-kva.example.net')).toBeDefined()
  })

  test.each<[string, Parameters<typeof domain>[0], RegExp]>([
    ['Active', {}, /DNS answers with the addresses/],
    ['No address', { record_ipv4: null, record_ip: null }, /DNS has no address for this domain/],
    ['Paused', { paused: true, withheld_by: ['paused'] }, /apply when you resume the domain/],
    ['Locked', { withheld_by: ['locked', 'paused'] }, /Please contact support/],
    [
      'Over the limit',
      { withheld_by: ['over_limit'] },
      /Your plan includes \d+ domains, and you have \d+\..*works again with/,
    ],
    ['Account disabled', { withheld_by: ['owner_blocked'] }, /Your account is disabled/],
  ])('says %s, and why', async (status, changes, reason) => {
    serveDomains(domain({ ...changes, is_active: (changes?.withheld_by ?? []).length === 0 }))
    openDashboard(AT)
    const shown = await card('Status')
    expect(shown.getByText(status)).toBeDefined()
    await waitFor(async () => expect(await textOf('Status')).toMatch(reason))
    const pause = shown.getByRole('button', { name: /^(Pause|Resume)$/ })
    expect(pause).toHaveProperty('disabled', status === 'Locked')
    for (const name of ['Update', 'Add Wildcard', 'Delete']) {
      const action = screen.getByRole<HTMLButtonElement>('button', { name })
      const why = document.getElementById(action.getAttribute('aria-describedby') ?? '')
      expect([action.disabled, why?.textContent]).toEqual(
        status === 'Locked'
          ? [true, 'An administrator locked this domain, so it cannot be changed.']
          : [false, undefined],
      )
    }
    expect(screen.getByRole('button', { name: 'How to Update' })).toHaveProperty('disabled', false)
  })

  test('tells stored from published addresses while the domain is forwarded', async () => {
    serveDomains(
      domain({
        record_ipv4: null,
        record_ip: null,
        record_ipv6: '2001:db8::7',
        is_forwarded: true,
        published_ipv4: ['203.0.113.80'],
        published_ipv6: [],
      }),
    )
    openDashboard(AT)
    const addresses = await card('Addresses')
    expect(addresses.getByRole('status').textContent).toBe(
      'home.example.net is forwarded: DNS publishes 203.0.113.80, not the addresses below.' +
        'They are stored. Updates change them, and DNS publishes them again when the forward ends.',
    )
    expect(addresses.getByRole('link', { name: 'is forwarded' })).toHaveProperty(
      'hash',
      `${AT}?tab=forward`,
    )
    expect(addresses.getByRole('button', { name: 'Copy IPv6 address' })).toBeDefined()
    expect(await textOf('Status')).toContain(
      'ActiveThe domain is forwarded, so DNS answers with the addresses of the forwarding server.',
    )
  })

  test('adds a wildcard', async () => {
    const { limits, ...me } = exampleOf('getMe')
    mock.handle({ getMe: () => ok({ ...me, limits: { ...limits, abilities: ['wildcard'] } }) })
    serveDomains(domain())
    const hands = openDashboard(AT)
    await hands.click(await screen.findByRole('button', { name: 'Add Wildcard' }))
    expect(location.hash).toBe(`${AT}?dialog=wildcard`)
    const name = 'Create wildcard for home.example.net'
    const dialog = within(await screen.findByRole('dialog', { name }))
    await hands.click(dialog.getByRole('button', { name: 'Create Wildcard' }))
    expect(await (await card('Details')).findByText('Wildcard Active')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add Wildcard' })).toBeNull()
  })

  test('pauses at once, and the notice undoes it', async () => {
    const kept = serveDomains(domain())
    const hands = openDashboard(AT)
    const status = await card('Status')
    await hands.click(status.getByRole('button', { name: 'Pause' }))
    expect(await status.findByText('Paused')).toBeDefined()
    await hands.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await status.findByText('Active')).toBeDefined()
    expect(kept[0]?.paused).toBe(false)
  })
})

describe('the note', () => {
  test('is shown as text', async () => {
    const note = '<img src=x onerror=alert(1)> بيت'
    serveDomains(domain({ note, tags: [note] }))
    openDashboard(AT)
    expect(await screen.findAllByText(note)).toHaveLength(2)
    expect(document.querySelector('main img')).toBeNull()
  })

  async function editNote() {
    const kept = serveDomains(domain({ note: 'Attic' }))
    const hands = openDashboard(AT)
    const notes = await card('Note and Tags')
    await hands.click(notes.getByRole('button', { name: 'Edit Note' }))
    const save = async (name = 'Save') => hands.click(notes.getByRole('button', { name }))
    await fill(hands, notes.getByLabelText('Note'), 'Cellar')
    return { kept, hands, notes, save }
  }

  test('is saved although a router has changed the address in the meantime', async () => {
    const { kept, notes, save } = await editNote()
    kept[0] = domain({ note: 'Attic', record_ipv4: '198.51.100.9', version: 9 })
    await save()
    expect(await notes.findByRole('button', { name: 'Edit Note' })).toBeDefined()
    expect(kept[0]).toMatchObject({ note: 'Cellar', record_ipv4: '198.51.100.9', version: 10 })
    expect(notes.getByText('Cellar')).toBeDefined()
  })

  test('shows both versions if it was changed in the meantime', async () => {
    const { kept, notes, save } = await editNote()
    kept[0] = domain({ note: 'Garage', version: 9 })
    await save()
    const conflict = await notes.findByRole('alert')
    expect(conflict.textContent).toContain('NowGarageYoursCellar')
    expect(kept[0]?.note).toBe('Garage')
    await save('Save Mine')
    await waitFor(() => expect(kept[0]?.note).toBe('Cellar'))
  })

  test('stays on another tab, and is protected when the user leaves', async () => {
    const { hands, notes } = await editNote()
    await hands.click(screen.getByRole('link', { name: 'History' }))
    await screen.findByRole('heading', { name: 'History' })
    await hands.click(screen.getByRole('link', { name: 'Overview' }))
    expect(notes.getByLabelText('Note')).toHaveProperty('value', 'Cellar')
    await hands.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    expect(await screen.findByRole('dialog', { name: 'Discard your changes?' })).toBeDefined()
  })

  test('tags are read between commas, and a refusal is at their field', async () => {
    const kept = serveDomains(domain({ tags: ['home'] }))
    const hands = openDashboard(AT)
    const notes = await card('Note and Tags')
    await hands.click(notes.getByRole('button', { name: 'Edit Tags' }))
    await fill(hands, notes.getByLabelText('Tags'), ' attic,Camera, ,camera')
    mock.handle({
      updateDomain: () =>
        problem('validation-failed', {
          errors: [{ field: 'tags.0', message: 'A tag cannot contain this.' }],
        }),
    })
    const save = () => hands.click(notes.getByRole('button', { name: 'Save' }))
    await save()
    expect((await notes.findByRole('alert')).textContent).toBe('A tag cannot contain this.')
    expect(mock.bodiesOf('updateDomain')).toEqual([{ tags: ['attic', 'Camera'] }])
    expect(kept[0]?.tags).toEqual(['home'])
  })
})

describe('the page', () => {
  test('of a wildcard leads to its base domain, and has no settings', async () => {
    serveDomains(domain({ fqdn: '*.home.example.net', is_wildcard: true }))
    openDashboard('#domain/*.home.example.net')
    const details = await card('Details')
    expect(details.getByRole('link', { name: 'home.example.net' })).toBeDefined()
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(buttons).toContain('Delete')
    for (const none of ['How to Update', 'Update', 'Pause']) expect(buttons).not.toContain(none)
    expect(screen.queryByRole('link', { name: 'Update Calls' })).toBeNull()
  })

  test('opens its dialogs in the URL, and goes to the dashboard after a deletion', async () => {
    serveDomains(domain())
    const hands = openDashboard(AT)
    await hands.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(location.hash).toBe(`${AT}?dialog=delete`)
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete domain?' }))
    await hands.click(dialog.getByRole('button', { name: 'Delete' }))
    await heading('Dashboard')
    expect(location.hash).toBe('#dashboard')
  })

  test('of a deleted domain restores it', async () => {
    const kept = serveDomains()
    mock.handle({
      listDeletedDomains: () => ok([deletedDomain()]),
      restoreDomain() {
        kept.push(domain())
        return ok(domain())
      },
    })
    const hands = openDashboard(AT)
    expect(await screen.findByRole('heading', { name: 'This domain was deleted' })).toBeDefined()
    await hands.click(screen.getByRole('button', { name: 'Restore home.example.net' }))
    expect(await card('Status')).toBeDefined()
  })

  test('of a domain that is not in the account says so', async () => {
    serveDomains()
    openDashboard('#domain/other.example.net')
    const title = 'This domain is not in your account'
    expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  })

  test('offers to try again after a failure', async () => {
    serveDomains(domain())
    mock.handle({ getDomainByFqdn: () => problem('rate-limited', { detail: 'Too many.' }) })
    const hands = openDashboard(AT)
    const failure = within(await screen.findByRole('alert'))
    serveDomains(domain())
    await hands.click(failure.getByRole('button', { name: 'Retry' }))
    expect(await card('Status')).toBeDefined()
  })
})

test('the name in the table leads to the page', async () => {
  serveDomains(domain())
  const hands = openDashboard()
  await hands.click(await screen.findByRole('link', { name: 'home.example.net' }))
  await heading('home.example.net')
  expect(location.hash).toBe(AT)
})
