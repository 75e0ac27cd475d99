/** The list of plans, and the page of a plan. The API counts the effects of a change before it is saved. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { plan, servePlans } from '../../../test/records.ts'
import { cells, fill, open } from '../../../test/screen.tsx'

const unchanged = {
  ...exampleOf('previewPlanChange'),
  domain_limit: { before: 100, after: 100 },
  changed_account_count: 0,
  withheld_count: 0,
}

/** Opens the page of the plan Pro. The API answers previews with `preview`. */
async function openPlan(preview = exampleOf('previewPlanChange')) {
  const kept = servePlans(plan({ version: 4 }))
  mock.handle({
    previewPlanChange: ({ body }) => ok(Object.keys(body).length === 0 ? unchanged : preview),
  })
  const hands = open('/plans/pro')
  await screen.findByRole('heading', { name: 'Pro' })
  const save = async () => hands.click(screen.getByRole('button', { name: 'Save' }))
  return { kept, hands, save }
}

const limit = () => screen.getByRole('textbox', { name: /^Domain limit/ })

test('the list shows what each plan includes', async () => {
  servePlans(
    plan({
      id: 'free',
      domain_limit: 5,
      ttl: 3600,
      record_limit: 10,
      record_types: 'txt',
      abilities: [],
    }),
    plan(),
    plan({ id: 'disabled', domain_limit: 0, record_limit: 0, abilities: [] }),
  )
  open('/plans')
  await screen.findByRole('link', { name: 'Pro' })
  expect(cells().map((row) => row.slice(0, 5))).toEqual([
    ['Free', '5', '60 minutes', '10 TXT values', 'domains only'],
    [
      'Pro',
      '100',
      '60 seconds',
      '1,000',
      'API keys, Wildcards, DNS analytics, Uptime monitoring, Web forwarding',
    ],
    ['Disabled', '0', '60 seconds', '0', 'nothing'],
  ])
})

test('a change is counted, confirmed and sent with the version that the user saw', async () => {
  const { kept, hands, save } = await openPlan()
  await fill(hands, limit(), '50')
  await fill(hands, screen.getByRole('textbox', { name: /^Monitor interval/ }), '120')
  await fill(hands, screen.getByRole('textbox', { name: /^Record limit/ }), '2000')
  await hands.click(screen.getByRole('checkbox', { name: 'Wildcards' }))
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the plan Pro?' }))
  expect(dialog.getByText(/^41 domains will be withheld from DNS/)).toBeDefined()
  expect(mock.bodiesOf('updatePlan')).toEqual([])
  await hands.click(dialog.getByRole('button', { name: 'Change plan' }))
  expect(await screen.findByText('Saved.')).toBeDefined()
  const change = {
    domain_limit: 50,
    monitor_interval: 120,
    record_limit: 2_000,
    abilities: ['api_keys', 'analytics', 'uptime', 'web_forward'],
  }
  expect([mock.bodiesOf('previewPlanChange')[1], mock.bodiesOf('updatePlan')]).toEqual([
    change,
    [change],
  ])
  expect(kept[0]?.version).toBe(5)
})

test('another administrator’s change is named, and both changes can be saved', async () => {
  const { kept, hands, save } = await openPlan()
  const abilities = plan().abilities.filter((ability) => ability !== 'uptime')
  kept[0] = plan({ version: 9, domain_limit: 70, record_limit: 4_000, abilities })
  await fill(hands, limit(), '50')
  await hands.click(screen.getByRole('checkbox', { name: 'Wildcards' }))
  await save()
  await hands.click(await screen.findByRole('button', { name: 'Change plan' }))
  const notice = await screen.findByText(/^Another administrator changed the plan/)
  expect(notice.textContent).toBe(
    'Another administrator changed the plan in the meantime. Domain limit: now 70. Record limit: now 4,000. Features: now API keys, Wildcards, DNS analytics and Web forwarding. Your changes are still in the form. Check them, then save again.',
  )
  expect(kept[0].domain_limit).toBe(70)
  const records = screen.getByRole<HTMLInputElement>('textbox', { name: /^Record limit/ })
  await waitFor(() => expect(records.value).toBe('4000'))
  expect(limit()).toHaveProperty('value', '50')
  await save()
  await hands.click(await screen.findByRole('button', { name: 'Change plan' }))
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(mock.bodiesOf('updatePlan').at(-1)).toEqual({
    domain_limit: 50,
    abilities: ['api_keys', 'analytics', 'web_forward'],
  })
  await waitFor(() => expect(screen.getByText('No changes')).toBeDefined())
})

test.each([
  ['many', 'Must be a whole number'],
  ['', 'Required'],
  ['-1', /^Must be at least/],
])('a limit of %j is not sent', async (text, words) => {
  const { hands, save } = await openPlan()
  await fill(hands, limit(), text)
  await save()
  expect(await screen.findByText(words)).toBeDefined()
  expect(mock.bodiesOf('previewPlanChange').filter((body) => body !== undefined).length).toBe(1)
})

test('a change whose effects cannot be counted is not saved', async () => {
  const { hands, save } = await openPlan()
  mock.handle({ previewPlanChange: () => problem('conflict', { detail: 'Not this plan.' }) })
  await fill(hands, limit(), '50')
  await save()
  expect(await screen.findByText('Not this plan.')).toBeDefined()
  expect(mock.bodiesOf('updatePlan')).toEqual([])
})

test('the plan of closed accounts cannot be changed', async () => {
  servePlans(plan({ id: 'disabled', domain_limit: 0, abilities: [] }))
  open('/plans/disabled')
  expect(await screen.findByText(/^This plan includes nothing and cannot be changed/)).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull())
})
