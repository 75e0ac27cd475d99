/** The web forward on the page of its domain. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain } from '../../../../test/domains.ts'
import { forward, serveForwards, usageOf } from '../../../../test/forwards.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const AT = '#domain/home.example.net?tab=forward'
const card = async () => within(await screen.findByRole('region', { name: 'Web Forward' }))

test('shows the settings, the hits and the check, and can be edited and deleted', async () => {
  const { check_result } = forward()
  serveForwards({
    forwards: [
      forward({
        forwarding_type: 'stealth',
        fallback: 'mixed-content',
        title: 'Shop',
        forward_query: false,
        check_result: check_result && { ...check_result, fallback: 'mixed-content' },
      }),
    ],
  })
  const hands = openDashboard(AT)
  const shown = await card()
  const facts = shown.getAllByRole('term').map(({ parentElement }) => parentElement?.textContent)
  expect(facts.slice(0, 5)).toEqual([
    'Targethttps://shop.example.com/startThe path is appended to the target, the query is not.',
    'TypeStealth',
    'Status code302',
    'TitleShop',
    'Hits, 7 days128',
  ])
  expect(shown.getByText(/do not show an http target in a frame/)).toBeDefined()
  await hands.click(shown.getByRole('button', { name: 'Edit Forward' }))
  expect(location.hash).toBe(`${AT}&dialog=edit-forward`)
  const edit = within(await screen.findByRole('dialog'))
  await hands.click(edit.getByLabelText('Keep the query'))
  await hands.click(edit.getByRole('button', { name: 'Save Changes' }))
  expect(await shown.findByText('Path and query are appended to the target.')).toBeDefined()
  // The browser goes back a moment after the dialog has closed.
  await waitFor(() => expect(location.hash).toBe(AT))
  await hands.click(shown.getByRole('button', { name: 'Delete Forward' }))
  const remove = within(await screen.findByRole('dialog', { name: 'Delete web forwarding?' }))
  await hands.click(remove.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/^home\.example\.net is not forwarded\./)).toBeDefined()
})

test('a domain without a forward gets one, for this domain only', async () => {
  serveForwards({
    forwards: [],
    domains: [domain(), domain({ id: '43', fqdn: 'nas.example.net' })],
  })
  const hands = openDashboard(AT)
  await hands.click((await card()).getByRole('button', { name: 'Add Web Forwarding' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add web forwarding' }))
  await hands.type(dialog.getByLabelText('Target URL'), 'shop.example.com')
  await hands.click(dialog.getByRole('button', { name: 'Add Web Forwarding' }))
  await waitFor(() =>
    expect(mock.bodiesOf('createWebForward')).toMatchObject([{ domain_id: '42' }]),
  )
  expect(await (await card()).findByText('Active')).toBeDefined()
})

test('what an administrator disabled has its reason, and no buttons', async () => {
  serveForwards({ forwards: [forward({ disabled_reason: 'phishing' })] })
  openDashboard(AT)
  const shown = await card()
  expect(
    shown.getByText('An administrator disabled it: phishing. Please contact support.'),
  ).toBeDefined()
  expect(shown.queryByRole('button')).toBeNull()
})

test('a plan without web forwarding says what lifts it', async () => {
  serveForwards({ forwards: [], usage: usageOf(0, 0, false) })
  openDashboard(`${AT}&dialog=add-forward`)
  const title = 'Web forwarding is not included in your plan'
  expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a failure can be retried, and a wildcard has no forward of its own', async () => {
  const wildcard = domain({ id: '44', fqdn: '*.home.example.net', is_wildcard: true })
  serveForwards({ forwards: [forward()], domains: [domain(), wildcard] })
  mock.handle({ listWebForwards: () => problem('forbidden', { detail: 'You may not do this.' }) })
  const hands = openDashboard(AT)
  expect(await screen.findByText('Failed to load data. You may not do this.')).toBeDefined()
  mock.handle({ listWebForwards: () => ok(exampleOf('listWebForwards')) })
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await card()).toBeDefined()
  location.hash = '#domain/*.home.example.net?tab=forward'
  await screen.findByRole('heading', { level: 1, name: '*.home.example.net' })
  await screen.findByRole('region', { name: 'Status' })
  expect(screen.queryByRole('link', { name: 'Forward' })).toBeNull()
})
