/** The own zones: the list, adding and deleting, the page of a zone, and what a plan allows. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import {
  activeZone,
  checkOf,
  CONTESTED,
  ownZone,
  serveOwnZones,
  statusOf,
} from '../../../test/own-zones.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const AT = '#zones'
const button = async (name: string) => screen.findByRole('button', { name })
const rows = async () =>
  within(await screen.findByRole('list', { name: 'Own zones' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the list', () => {
  test('shows the state of each zone, what it has, and what is to do', async () => {
    const withheld_at = '2026-05-12T08:00:00.000Z'
    serveOwnZones({
      zones: [
        ownZone({ id: '1', zone: 'a.example', is_vanity: false }),
        ownZone({ id: '2', zone: 'b.example', is_contested: true, tasks: [...CONTESTED] }),
        activeZone({ id: '3', zone: 'c.example', is_vanity: false, records: 12, domains: 1 }),
        activeZone({ id: '4', zone: 'd.example', last_check: checkOf('glue') }),
        activeZone({ id: '5', zone: 'e.example', state: 'withheld', withheld_at }),
        ownZone({ id: '6', zone: 'f.example', state: 'lost' }),
        ownZone({ id: '7', zone: 'g.example', state: 'expired' }),
      ],
    })
    openDashboard(AT)
    const servers = 'vanity name servers ns1.example.com, ns2.example.com'
    const none = '0 records · 0 domains'
    expect(await rows()).toEqual([
      `a.example${none} · name servers of HomingSet the name servers at your registrar.Pending`,
      `b.example${none} · ${servers}Prove that the domain is yours.Pending`,
      'c.example12 records · 1 domain · name servers of HomingActive',
      `d.example${none} · ${servers}Active, check failed`,
      `e.example${none} · ${servers}Withheld`,
      'f.exampleLost',
      'g.exampleExpired',
    ])
    const main = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(main.getByRole('link', { name: 'Zones' }).getAttribute('aria-current')).toBe('page')
  })

  test('without the feature in the plan says which plan has it, and keeps what is there', async () => {
    serveOwnZones({ zones: [activeZone({ state: 'withheld' })] })
    mock.handle({ getMe: () => ok(exampleOf('getMe')) })
    openDashboard(AT)
    await screen.findByText('Own zones are not included in your plan')
    expect(screen.getByText('Your zones are kept. You can open and delete them.')).toBeDefined()
    expect(await rows()).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Add Zone' })).toBeNull()
  })
})

describe('adding', () => {
  test('by the keyboard, with the vanity name servers; leads to the page of the zone', async () => {
    serveOwnZones({ status: statusOf(activeZone()) })
    const hands = openDashboard(AT)
    await button('Add Zone')
    await hands.keyboard('c')
    const dialog = within(await screen.findByRole('dialog', { name: 'Add an own zone' }))
    expect(dialog.getByRole('button', { name: 'Add Zone' })).toHaveProperty('disabled', true)
    await fill(hands, dialog.getByRole('textbox', { name: 'Domain' }), 'example.org')
    await hands.click(await dialog.findByRole('checkbox', { name: 'Use my vanity name servers' }))
    await hands.keyboard('{Enter}')
    await hands.click(dialog.getByRole('button', { name: 'Add Zone' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'example.org' })).toBeDefined()
    expect(mock.bodiesOf('createOwnZone')).toEqual([{ domain: 'example.org', uses_vanity: true }])
    expect(location.hash).toBe('#zones/90')
  })

  test('a refused domain is shown at the field; without vanity name servers, the way to them', async () => {
    serveOwnZones({})
    const detail = 'home.example.net belongs to the service. Enter a domain that you registered.'
    mock.handle({ createOwnZone: () => problem('name-not-allowed', { detail }) })
    const hands = openDashboard(`${AT}?dialog=add`)
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByRole('link', { name: 'set up vanity name servers' })).toBeDefined()
    const field = dialog.getByRole('textbox', { name: 'Domain' })
    await fill(hands, field, 'home.example.net')
    await hands.click(dialog.getByRole('button', { name: 'Add Zone' }))
    expect((await dialog.findByText(detail)).id).toBe(field.getAttribute('aria-describedby'))
  })

  test('an expired claim can be made again', async () => {
    serveOwnZones({ zones: [ownZone({ id: '7', state: 'expired' })] })
    const hands = openDashboard('#zones/7')
    await hands.click(await screen.findByRole('link', { name: 'Claim example.com again' }))
    const field = await screen.findByRole('textbox', { name: 'Domain' })
    expect(field).toHaveProperty('value', 'example.com')
  })
})

describe('the page of a zone', () => {
  test('says what the state means, and checks now', async () => {
    const zone = ownZone({ is_vanity: false, last_check: null })
    serveOwnZones({ zones: [zone], found: activeZone() })
    const hands = openDashboard('#zones/5')
    expect(await screen.findByText(/^Homing answers for example\.com with its name/)).toBeDefined()
    await hands.click(await button('Check Now'))
    await screen.findByText('The delegation is correct. DNS serves example.com.')
    expect(screen.getByText('DNS serves your records and domains.')).toBeDefined()
  })

  test('a check that finds errors names them', async () => {
    serveOwnZones({ zones: [ownZone()], found: ownZone({ last_check: checkOf('glue') }) })
    const hands = openDashboard('#zones/5')
    await hands.click(await button('Check Now'))
    await screen.findByText(/^The check found errors\./)
    expect(screen.getByText('1 fact is wrong.')).toBeDefined()
  })

  test('a right delegation that proves nothing is not called wrong', async () => {
    serveOwnZones({ zones: [ownZone()], found: ownZone({ last_check: checkOf() }) })
    const hands = openDashboard('#zones/5')
    await hands.click(await button('Check Now'))
    await screen.findByText(/^The delegation is correct\. Prove that you own the domain/)
    expect(screen.getByText(/^The name servers are correct, but you have not proved/)).toBeDefined()
  })

  test('is found by its name too; a claim that is over shows no records and domains', async () => {
    serveOwnZones({ zones: [ownZone({ id: '8', state: 'expired' }), activeZone()] })
    openDashboard('#zones/example.com')
    const tabs = within(await screen.findByRole('navigation', { name: 'Parts of the zone' }))
    expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'History',
      'Records',
      'Domains',
    ])
    location.hash = '#zones/8?tab=domains'
    expect(await screen.findByText(/so the claim expired\./)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Records' })).toBeNull())
  })

  test('says that the account does not have the zone', async () => {
    serveOwnZones({})
    openDashboard('#zones/77')
    expect(await screen.findByText('This zone is not in your account')).toBeDefined()
  })

  test.each([
    ['lost', /^Another account proved that it owns example\.com/],
    ['withheld', /^Your plan does not include own zones, so DNS does not answer for example\.com/],
  ] as const)('%s says why and what to do', async (state, text) => {
    serveOwnZones({ zones: [activeZone({ state, withheld_at: '2026-06-11T08:00:00.000Z' })] })
    openDashboard('#zones/5')
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('an active zone that the plan lost says until when it is served', async () => {
    serveOwnZones({ zones: [activeZone({ withheld_at: '2026-06-11T12:00:00.000Z' })] })
    openDashboard('#zones/5')
    expect(await screen.findByText('Active, ending', { selector: 'h1 ~ span' })).toBeDefined()
    expect(screen.getByText('11 June 2026').tagName).toBe('STRONG')
  })
})

test('a contested zone whose name servers are right still asks for the proof', async () => {
  serveOwnZones({
    zones: [ownZone({ is_contested: true, tasks: [...CONTESTED], last_check: checkOf() })],
  })
  openDashboard('#zones/5')
  expect(await screen.findByText(/^The name servers are correct, but you have not/)).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Prove that you own example.com' })).toBeDefined()
})

test('a domain in use can be proved before its name servers are changed', async () => {
  serveOwnZones({ zones: [ownZone()] })
  openDashboard('#zones/5')
  const early = await screen.findByText('Is example.com in use already?')
  const { parentElement: details } = early
  expect(details?.tagName).toBe('DETAILS')
  expect(details?.textContent).toContain('_homing-verify.example.com')
  expect(screen.queryByRole('heading', { name: 'Prove that you own example.com' })).toBeNull()
})

describe('records of the zone', () => {
  test('can be added while the zone is active', async () => {
    serveOwnZones({ zones: [activeZone()] })
    openDashboard('#zones/5?tab=records')
    expect(await screen.findByText('10 mail.example.com.')).toBeDefined()
    expect(await button('Add Record')).toHaveProperty('disabled', false)
  })

  test('cannot be added before, and the reason is said', async () => {
    serveOwnZones({ zones: [ownZone()] })
    openDashboard('#zones/5?tab=records')
    expect(await screen.findByText('Records can be added when the zone is active.')).toBeDefined()
    // The service refuses to list them.
    expect([mock.bodiesOf('listZoneRecords'), screen.queryByRole('alert')]).toEqual([[], null])
  })
})

describe('domains in the zone', () => {
  test('are listed, and another one is added in this zone or at its apex', async () => {
    serveDomains(domain({ fqdn: 'home.example.com', zone: 'example.com', record_ipv6: null }))
    serveOwnZones({ zones: [activeZone({ domains: 1 })] })
    mock.handle({
      listAvailableZones: () => ok([{ zone: 'example.net' }, { zone: 'example.com' }]),
    })
    const hands = openDashboard('#zones/5?tab=domains')
    expect(await screen.findByRole('link', { name: 'home.example.com' })).toHaveProperty(
      'hash',
      '#domain/home.example.com',
    )
    const [asked] = mock.calls.filter(({ id }) => id === 'listDomains')
    expect(asked?.query).toMatchObject({ filter: JSON.stringify({ zone: 'example.com' }) })
    await hands.click(screen.getByRole('link', { name: 'Add Domain' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }))
    await waitFor(() =>
      expect(dialog.getByRole('combobox', { name: 'Zone' })).toHaveProperty('value', 'example.com'),
    )
    await fill(hands, dialog.getByRole('textbox', { name: 'Subdomain' }), '@')
    await hands.click(dialog.getByRole('button', { name: 'Add Domain' }))
    await waitFor(() =>
      expect(mock.bodiesOf('createDomain')).toEqual([
        { fqdn: 'example.com', zone: 'example.com', rrtype: 'A' },
      ]),
    )
  })

  test('cannot be added before the zone is active, and the reason is said', async () => {
    serveDomains()
    serveOwnZones({ zones: [ownZone()] })
    openDashboard('#zones/5?tab=domains')
    expect(await screen.findByText('Domains can be added when the zone is active.')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Add Domain' })).toBeNull()
  })
})

describe('deleting', () => {
  test('says what goes, needs the name, and leads to the list', async () => {
    const kept = serveOwnZones({ zones: [activeZone({ records: 12, domains: 3 })] })
    const hands = openDashboard('#zones/5')
    await hands.click(await button('Delete Zone'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete zone?' }))
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '12 records',
      '3 domains, with forwards, monitors and update tokens',
    ])
    const remove = dialog.getByRole('button', { name: 'Delete' })
    await fill(hands, dialog.getByRole('textbox'), 'example.co')
    expect(remove).toHaveProperty('disabled', true)
    await fill(hands, dialog.getByRole('textbox'), 'example.com')
    await hands.click(remove)
    expect(await screen.findByText('example.com was deleted.')).toBeDefined()
    expect(await screen.findByRole('heading', { level: 1, name: 'Own Zones' })).toBeDefined()
    expect([kept, mock.bodiesOf('deleteOwnZone')]).toEqual([[], [{ confirm: 'example.com' }]])
  })

  test('a refusal stays in the dialog', async () => {
    serveOwnZones({ zones: [activeZone()] })
    const detail = '2 own zones use the name servers in example.com. Delete them first.'
    mock.handle({ deleteOwnZone: () => problem('conflict', { detail }) })
    const hands = openDashboard('#zones/5?dialog=delete')
    const dialog = within(await screen.findByRole('dialog'))
    await fill(hands, dialog.getByRole('textbox'), 'example.com')
    await hands.click(dialog.getByRole('button', { name: 'Delete' }))
    expect((await dialog.findByRole('alert')).textContent).toContain(detail)
  })
})
