/** The screen of vanity name servers: the set-up in steps, the verification, removal, and who gets it. */
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

const AT = '#vanity-nameservers'
const TITLE = { level: 1, name: 'Professional Nameserver Branding' }

const button = async (name: string) => screen.findByRole('button', { name })
const steps = async () =>
  within(await screen.findByRole('list', { name: 'Steps of the set-up' }))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)
const current = () => document.querySelector('[aria-current="step"] h2')?.textContent
const factOf = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 3, name })
  return within(heading.closest('li') as HTMLElement)
}

describe('the set-up', () => {
  test('a domain is set up, and the next step has its glue records', async () => {
    serveOwnZones({})
    const hands = openDashboard(AT)
    await screen.findByRole('heading', TITLE)
    const setUp = await button('Set Up')
    expect(setUp).toHaveProperty('disabled', true)
    expect(await steps()).toEqual([
      '1Enter your domainNow',
      '2Add the glue records at your registrarNext',
      '3Verify the name serversNext',
    ])
    await fill(hands, screen.getByRole('textbox', { name: 'Domain' }), ' example.com ')
    await hands.click(setUp)
    await screen.findByText('Setup complete! Now add the glue records at your registrar.')
    expect(mock.bodiesOf('setUpVanity')).toEqual([{ domain: 'example.com' }])
    expect(current()).toBe('2Add the glue records at your registrarNow')
    await waitFor(() => expect(document.activeElement?.textContent).toBe(current()))
    const table = screen.getByRole('table', { name: 'Name servers and their glue records' })
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Host nameIPv4IPv6',
      'ns1.example.com198.51.100.532001:db8::53',
      'ns2.example.com203.0.113.53None',
    ])
    expect(screen.getByText(/ns1\.example\.com is inside example\.com/)).toBeDefined()
    for (const registrar of ['Namecheap', 'GoDaddy', 'Another registrar']) {
      expect(screen.getByText(registrar).tagName).toBe('SUMMARY')
    }
  })

  test('each cell can be copied, and all of them at once', async () => {
    serveOwnZones({ status: statusOf(ownZone()) })
    const hands = openDashboard(AT)
    await hands.click(await button('Copy the IPv6 address of ns1.example.com'))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('2001:db8::53'))
    await hands.click(await button('Copy All'))
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(
        'ns1.example.com 198.51.100.53 2001:db8::53\nns2.example.com 203.0.113.53',
      ),
    )
  })

  test.each([
    ['name-not-allowed', 'co.uk is a public suffix.'],
    ['conflict', 'example.org is set up already.'],
  ] as const)('%s is shown at the field, and typing removes it', async (code, detail) => {
    serveOwnZones({})
    mock.handle({ setUpVanity: () => problem(code, { detail }) })
    const hands = openDashboard(AT)
    const field = await screen.findByRole('textbox', { name: 'Domain' })
    await fill(hands, field, 'co.uk')
    await hands.click(await button('Set Up'))
    const told = await screen.findByText(detail)
    expect(field.getAttribute('aria-describedby')).toBe(told.id)
    await hands.type(field, 'x')
    expect(screen.queryByText(detail)).toBeNull()
  })

  test('another error is shown above the field, with the request id', async () => {
    serveOwnZones({})
    mock.handle({ setUpVanity: () => problem('zone-limit', { detail: 'You have 20 zones.' }) })
    const hands = openDashboard(AT)
    await fill(hands, await screen.findByRole('textbox', { name: 'Domain' }), 'example.com')
    await hands.click(await button('Set Up'))
    expect((await screen.findByRole('alert')).textContent).toContain(
      'You have 20 zones.Request request-1',
    )
  })

  test('goes on where the service says: at the registrar, or at the verification', async () => {
    serveOwnZones({ status: statusOf(ownZone({ last_check: checkOf('authoritative') })) })
    openDashboard(AT)
    expect((await steps())[1]).toBe('Add the glue records at your registrarDone')
    expect(current()).toBe('3Verify the name serversNow')
  })

  test('a contested domain shows the other ways to prove it, with what to copy', async () => {
    serveOwnZones({
      status: statusOf(ownZone({ is_contested: true, tasks: [...CONTESTED] })),
    })
    openDashboard(AT)
    const tasks = within(await screen.findByRole('list', { name: 'Ways to prove the ownership' }))
    expect(tasks.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
      'Create a TXT record',
      'Add a third name server',
    ])
    expect(tasks.getByText('_homing-verify.example.com')).toBeDefined()
    expect(tasks.getByText('homing-4mtq9zx0.verify.example.net')).toBeDefined()
    expect(tasks.getByRole('button', { name: 'Copy the value homing-4mtq9zx0' })).toBeDefined()
    expect(screen.getByText(/^Another account claims this domain too/)).toBeDefined()
  })
})

describe('the verification', () => {
  test('a failed one says which fact is wrong, and what each parent server said', async () => {
    const found = ownZone({ last_check: checkOf('names', 'no-ds') })
    serveOwnZones({ status: statusOf(ownZone({ last_check: null })), found })
    const hands = openDashboard(AT)
    await hands.click(await button('Verify'))
    await screen.findByText('Verification failed. Please check your glue records.')
    expect(screen.getByText(/^2 facts are wrong\./)).toBeDefined()
    const names = await factOf('Name servers')
    expect(names.getByText('Wrong')).toBeDefined()
    expect(names.getByText('Expected').parentElement?.textContent).toBe(
      'Expectedns1.example.comns2.example.com',
    )
    expect(names.getByText('Found').parentElement?.textContent).toBe('Foundns1.example.org')
    expect((await factOf('Delegation')).getByText('Right')).toBeDefined()
    await hands.click(screen.getByText('Responses of the 1 server of com'))
    const server = await factOf('a.gtld-servers.net')
    expect(server.getByText('Delegates')).toBeDefined()
    expect(server.getByText(/192\.5\.6\.30/)).toBeDefined()
    expect(screen.getByText(/We mail you when it turns green\.$/)).toBeDefined()
  })

  test('a successful one shows the name servers as active', async () => {
    serveOwnZones({ status: statusOf(ownZone()), found: activeZone() })
    const hands = openDashboard(AT)
    await hands.click(await button('Verify'))
    expect(await screen.findByText(/^Your vanity name servers are active since/)).toBeDefined()
    // It stays after the steps are gone.
    expect(
      screen.getByText('Verification successful! Your vanity nameservers are now active.'),
    ).toBeDefined()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Name servers'))
    expect(screen.queryByRole('list', { name: 'Steps of the set-up' })).toBeNull()
    expect(screen.getByText(/We mail you if it breaks\.$/)).toBeDefined()
  })

  test('missing IPv6 addresses are shown, and the name servers are active', async () => {
    const check = checkOf()
    const facts = check.facts.map((fact) =>
      fact.fact === 'ipv6' ? { ...fact, state: 'incomplete' as const } : fact,
    )
    serveOwnZones({ status: statusOf(activeZone({ last_check: { ...check, facts } })) })
    openDashboard(AT)
    expect(await screen.findByText('The name servers work. 1 fact is incomplete.')).toBeDefined()
    expect((await factOf('IPv6 addresses')).getByText('Incomplete')).toBeDefined()
    expect(screen.getByText('Active')).toBeDefined()
  })

  test('a call that fails says so, and why', async () => {
    serveOwnZones({ status: statusOf(ownZone()) })
    const detail = 'Your plan does not include vanity name servers.'
    mock.handle({ verifyVanity: () => problem('plan-required', { detail }) })
    const hands = openDashboard(AT)
    await hands.click(await button('Verify'))
    const told = await screen.findByText(`Verification failed. ${detail}`)
    expect(told.closest('[role="alert"]')?.textContent).toContain('Request request-1')
  })

  test('name servers that broke say so, beside the zones that use them', async () => {
    const zone = activeZone({ last_check: checkOf('glue') })
    const other = activeZone({ id: '6', zone: 'example.org', is_vanity: true })
    serveOwnZones({ zones: [zone, other], status: statusOf(zone, { zones_count: 1 }) })
    openDashboard(AT)
    expect(await screen.findByText('Active, check failed')).toBeDefined()
    expect(screen.getByText(/^The last check found an error/)).toBeDefined()
    const users = within(
      await screen.findByRole('region', { name: 'Zones with these name servers' }),
    )
    expect(await users.findByRole('link', { name: 'example.org' })).toHaveProperty(
      'hash',
      '#zones/6',
    )
  })
})

describe('the removal', () => {
  test('needs the name of the domain', async () => {
    serveOwnZones({ status: statusOf(activeZone()) })
    const hands = openDashboard(AT)
    await hands.click(await button('Remove Name Servers'))
    const dialog = within(await screen.findByRole('dialog'))
    const remove = dialog.getByRole('button', { name: 'Remove' })
    expect(remove).toHaveProperty('disabled', true)
    await fill(hands, dialog.getByRole('textbox'), 'Example.com.')
    await hands.click(remove)
    expect(await screen.findByText('The vanity name servers were removed.')).toBeDefined()
    expect(await button('Set Up')).toBeDefined()
  })

  test('is not possible while zones use them, and the reason is said', async () => {
    serveOwnZones({ status: statusOf(activeZone(), { zones_count: 2 }) })
    openDashboard(`${AT}?dialog=remove`)
    const remove = await button('Remove Name Servers')
    expect(remove).toHaveProperty('disabled', true)
    const reason = document.getElementById(remove.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toMatch(/^2 own zones use these name servers\./)
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('who gets the screen', () => {
  test('an account without the feature gets the dashboard', async () => {
    serveDomains(domain())
    openDashboard(AT)
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeDefined()
    expect(location.hash).toBe('#dashboard')
  })

  test('the service can say that the feature is not available', async () => {
    serveOwnZones({ status: statusOf(null, { available: false }) })
    openDashboard(AT)
    expect(await screen.findByText('This feature requires an Elite subscription.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Set Up' })).toBeNull()
  })

  test('the dashboard of Elite has a card that leads to it', async () => {
    serveDomains(domain())
    serveOwnZones({ status: statusOf(activeZone(), { zones_count: 1 }) })
    const hands = openDashboard()
    const card = within(await screen.findByRole('region', { name: 'Vanity Name Servers' }))
    expect(
      await card.findByText(
        'ns1.example.com and ns2.example.com are active. 1 own zone uses them.',
      ),
    ).toBeDefined()
    await hands.click(card.getByRole('link', { name: 'Manage name servers' }))
    expect(await screen.findByRole('heading', TITLE)).toBeDefined()
  })

  test('a failure to read the state can be retried', async () => {
    serveOwnZones({})
    mock.handle({ getVanityStatus: () => problem('forbidden', { detail: 'You may not do this.' }) })
    const hands = openDashboard(AT)
    expect(await screen.findByText('Failed to load data. You may not do this.')).toBeDefined()
    mock.handle({ getVanityStatus: () => ok(exampleOf('getVanityStatus')) })
    await hands.click(await button('Retry'))
    expect(await button('Verify')).toBeDefined()
  })
})
