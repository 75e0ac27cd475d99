import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import {
  domain,
  serveBlockedTargets,
  serveDomains,
  serveWebForwards,
  user,
  webForward,
} from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, fill, open } from '../../../test/screen.tsx'

const HOME = webForward({ id: '19', fqdn: 'home.example.net', hits_7d: 12_800 })
const CHECK = HOME.check_result
const NAS = webForward({
  id: '20',
  domain_id: '43',
  fqdn: 'nas.example.org',
  target_url: 'https://bank.example.com/',
  forwarding_type: 'stealth',
  fallback: 'frames-refused',
  is_active: false,
  user_id: '8',
  username: 'bob',
  check_result: CHECK && { ...CHECK, finding: 'tls', message: 'The certificate has expired.' },
  is_disabled: true,
  disabled_reason: 'The target imitates a bank.',
  disabled_at: '2026-05-12T08:30:00.000Z',
  disabled_by: 'boss',
})

const names = () => cells().map(([name]) => name)

test('each row shows owner, target, type, hits, check and state', async () => {
  serveWebForwards(HOME, NAS)
  open('/web-forwards')
  const link = await screen.findByRole('link', { name: 'home.example.net' })
  expect(link.getAttribute('href')).toBe('/admin/domains/42/show')
  expect(screen.getByRole('link', { name: 'bob' }).getAttribute('href')).toBe('/admin/users/8')
  const [nas = [], home = []] = cells()
  expect(home.slice(0, 4)).toEqual([
    'home.example.net',
    'ada',
    'https://shop.example.com/startRedirect 302',
    '12,800',
  ])
  expect([home[4], home[5]]).toEqual([expect.stringMatching(/^Reachable/), 'Active'])
  expect(nas[2]).toBe('https://bank.example.com/Stealth, redirects: the target refuses frames')
  expect(nas[4]).toMatch(/^Certificate problemThe certificate has expired\./)
  expect(nas[5]).toBe('DisabledPaused')
  expect(nas[7]).toMatch(/^EnableThe target imitates a bank\.boss, /)
})

test('the list can be searched, and filtered by state and type', async () => {
  serveWebForwards(HOME, NAS)
  const hands = open('/web-forwards')
  const states = within(await screen.findByRole('group', { name: 'Status' }))
  await hands.click(await states.findByRole('button', { name: 'Disabled1' }))
  await waitFor(() => expect(names()).toEqual(['nas.example.org']))
  await hands.click(states.getByRole('button', { name: /^All/ }))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'redirect')
  await waitFor(() => expect(names()).toEqual(['home.example.net']))
  await fill(
    hands,
    screen.getByRole('searchbox', { name: 'Search domain or target' }),
    'bank.example',
  )
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
})

test('an empty list says so', async () => {
  serveWebForwards()
  open('/web-forwards')
  expect(await screen.findByText('No domains are forwarded.')).toBeDefined()
})

/** Opens the dialog that disables the forward. */
async function askToDisable() {
  const kept = serveWebForwards(HOME)
  const hands = open('/web-forwards')
  const title = 'the web forward of home.example.net'
  await hands.click(await screen.findByRole('button', { name: `Disable ${title}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Disable ${title}?` }))
  const disable = async () => hands.click(dialog.getByRole('button', { name: 'Disable' }))
  return { kept, hands, dialog, disable }
}

test('a forward is disabled with a reason, after a dialog that describes the effects', async () => {
  const { kept, hands, dialog, disable } = await askToDisable()
  expect(dialog.getByText(/^The forward ends at once, and DNS resolves the domain/)).toBeDefined()
  expect(dialog.getByText('https://shop.example.com/start')).toBeDefined()
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Disable' })
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), '   ')
  expect(button.disabled).toBe(true)
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'It imitates a bank.')
  await disable()
  expect(await screen.findByText('The web forward of home.example.net is disabled.')).toBeDefined()
  expect(mock.bodiesOf('moderateWebForward')).toEqual([
    { is_disabled: true, reason: 'It imitates a bank.' },
  ])
  expect(await screen.findByText('It imitates a bank.')).toBeDefined()
  expect(kept[0]?.is_disabled).toBe(true)
})

test('disabling can block the target for everybody, and an error of the block stays in the dialog', async () => {
  const { hands, dialog, disable } = await askToDisable()
  const blocks = serveBlockedTargets()
  const scope = dialog.getByRole('combobox', { name: 'Block for everybody' })
  await hands.selectOptions(scope, 'This path and the paths below it')
  expect(dialog.getByText(/^All forwards to the blocked part of the target end/)).toBeDefined()
  await hands.type(dialog.getByRole('textbox', { name: 'Reason' }), 'It imitates a bank.')
  mock.handle({
    createBlockedTarget: () => problem('conflict', { detail: 'It is blocked already.' }),
  })
  await disable()
  expect(await dialog.findByText('It is blocked already.')).toBeDefined()
  const kept = serveBlockedTargets(...blocks)
  await disable()
  expect(
    await screen.findByText(
      'The web forward of home.example.net is disabled, and shop.example.com is blocked.',
    ),
  ).toBeDefined()
  expect(kept).toMatchObject([
    { host: 'shop.example.com', path: '/start', scope: 'path', reason: 'It imitates a bank.' },
  ])
})

test('a forward that a blocked target stops is enabled there', async () => {
  serveWebForwards(webForward({ ...NAS, blocked_target_id: '3' }))
  open('/web-forwards')
  const link = await screen.findByRole('link', { name: 'Blocked target' })
  expect(link.getAttribute('href')).toBe('/admin/blocked-targets')
  expect(screen.queryByRole('button', { name: /^Enable/ })).toBeNull()
})

test('a disabled forward is enabled after confirmation', async () => {
  const kept = serveWebForwards(NAS)
  const hands = open('/web-forwards')
  const title = 'the web forward of nas.example.org'
  await hands.click(await screen.findByRole('button', { name: `Enable ${title}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Enable ${title}?` }))
  expect(dialog.getByText(/^DNS resolves the domain to the forwarding servers again/)).toBeDefined()
  expect(mock.bodiesOf('moderateWebForward')).toEqual([])
  await hands.click(dialog.getByRole('button', { name: 'Enable' }))
  expect(await screen.findByText('The web forward of nas.example.org is enabled.')).toBeDefined()
  expect(kept[0]).toMatchObject({ is_disabled: false, disabled_reason: null })
})

test('an error stays in the dialog with the text that was typed', async () => {
  const { kept, hands, dialog, disable } = await askToDisable()
  const reason = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Reason' })
  await hands.type(reason, 'It imitates a bank.')
  const message = 'reason contains a line break. Write it on one line.'
  mock.handle({
    moderateWebForward: () =>
      problem('validation-failed', { errors: [{ field: 'reason', message }] }),
  })
  await disable()
  expect(await dialog.findByText(message)).toBeDefined()
  mock.handle({
    moderateWebForward: () => problem('not-found', { detail: 'There is no such web forward.' }),
  })
  await disable()
  expect(await dialog.findByText('There is no such web forward.')).toBeDefined()
  expect([reason.value, kept[0]?.is_disabled]).toEqual(['It imitates a bank.', false])
})

test('the page of a domain links to its forward', async () => {
  serveDomains(domain())
  serveWebForwards(HOME, NAS)
  const hands = open('/domains/42/show')
  await hands.click(await screen.findByRole('link', { name: 'https://shop.example.com/start' }))
  await waitFor(() => expect(names()).toEqual(['home.example.net']))
})

test('the page of a user links to their forwards, and the list can show all again', async () => {
  serveUsers(user({ id: '8', username: 'bob' }))
  serveWebForwards(HOME, NAS)
  const hands = open('/users/8')
  await hands.click(await screen.findByRole('link', { name: '1 web forward' }))
  await waitFor(() => expect(names()).toEqual(['nas.example.org']))
  await hands.click(screen.getByRole('button', { name: 'Show the web forwards of all users' }))
  await waitFor(() => expect(names().length).toBe(2))
})
