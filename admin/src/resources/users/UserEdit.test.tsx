import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import {
  plan,
  ROOT,
  servePlans,
  serveSubscriptions,
  subscription,
  user,
} from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { fill, open } from '../../../test/screen.tsx'

const PLANS = [
  plan({ id: 'free', domain_limit: 5, ttl: 3600, abilities: [] }),
  plan({ id: 'pro', domain_limit: 100 }),
]

/** Opens the page of an account. */
async function openUser(account = user({ domain_count: 12 })) {
  const kept = serveUsers(account, user({ id: '8', username: 'bob' }))
  servePlans(...PLANS)
  const hands = open(`/users/${account.id}`)
  await screen.findByRole('heading', { name: account.username })
  const save = async () => hands.click(screen.getByRole('button', { name: 'Save' }))
  return { kept, hands, save }
}

const field = (name: RegExp | string) => screen.getByRole('textbox', { name })
/** Waits for the notice about somebody else's change. Failures of earlier tests are still shown. */
async function findConflict(change: string) {
  const next = 'Your changes are still in the form. Check them, then save again.'
  expect(await screen.findByText(`${change} ${next}`)).toBeDefined()
}

test('a plan change shows its effects before it is saved, and sends nothing else', async () => {
  const { kept, hands, save } = await openUser()
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'free')
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Change ada from Pro to Free?' }))
  expect(dialog.getByText(/Of 12 domains, 1 will be withheld from DNS/)).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([])
  await hands.click(dialog.getByRole('button', { name: 'Change plan' }))
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect([mock.bodiesOf('updateUser'), kept[0]?.account_type]).toEqual([
    [{ account_type: 'free' }],
    'free',
  ])
})

/** The API keeps the plan Pro, which is paid for. */
function keepPro() {
  const preview = { ...exampleOf('previewUserPlan'), from: 'pro', to: 'pro' } as const
  mock.handle({
    previewUserPlan: () => ok({ ...preview, withheld: [], abilities_lost: [] }),
    updateUser: () => ok(user({ domain_count: 12, account_type: 'pro' })),
  })
}

test('a plan that is paid for stays, in the dialog and in the form', async () => {
  const { hands, save } = await openUser()
  serveSubscriptions(subscription({ user_id: '7', plan: 'pro' }))
  keepPro()
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Plan' })
  await hands.selectOptions(select, 'free')
  await save()
  const name = 'Change the complimentary plan of ada?'
  const dialog = within(await screen.findByRole('dialog', { name }))
  expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^The plan stays Pro, because it is paid for/),
    'If the account has a complimentary plan, that plan is removed.',
  ])
  await hands.click(dialog.getByRole('button', { name: 'Change plan' }))
  expect(await screen.findByText('Saved.')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
  expect(select.value).toBe('pro')
})

test('a plan that somebody else changed is shown before anything is saved', async () => {
  const { kept, hands, save } = await openUser()
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Plan' })
  await hands.selectOptions(select, 'free')
  await fill(hands, field('Surname'), 'Lovelace')
  kept[0] = user({ domain_count: 12, account_type: 'elite' })
  await save()
  await findConflict('The account was changed in the meantime. Plan: now Elite.')
  expect([select.value, mock.bodiesOf('updateUser')]).toEqual(['free', []])
  expect(field('Surname')).toHaveProperty('value', 'Lovelace')
  await save()
  const name = 'Change ada from Elite to Free?'
  expect(await screen.findByRole('dialog', { name })).toBeDefined()
})

test('a change of somebody else is named, and both changes can be saved', async () => {
  const { kept, hands, save } = await openUser()
  await fill(hands, field('Surname'), 'Lovelace')
  const other = { email: 'new@example.net', given_name: null, enabled: false }
  kept[0] = user({ domain_count: 12, ...other, surname: 'King' })
  await save()
  await findConflict(
    'The account was changed in the meantime. Can sign in, and domains are served: now no. Email address: now new@example.net. Given name: now empty. Surname: now King.',
  )
  expect(kept[0].surname).toBe('King')
  expect(field('Surname')).toHaveProperty('value', 'Lovelace')
  await waitFor(() => expect(field(/^Email address/)).toHaveProperty('value', 'new@example.net'))
  await save()
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(mock.bodiesOf('updateUser').at(-1)).toEqual({ surname: 'Lovelace' })
  expect(kept[0]).toMatchObject({ ...other, surname: 'Lovelace' })
})

test('a change that the page read while the form had unsaved changes is still a conflict', async () => {
  const account = user({ domain_count: 12, monitoring_paused_at: '2026-05-12T08:30:00.000Z' })
  const { kept, hands, save } = await openUser(account)
  mock.handle({ pauseAccountMonitoring: ({ body }) => ok(body) })
  await fill(hands, field('Surname'), 'Lovelace')
  kept[0] = user({ domain_count: 12, given_name: 'Augusta', surname: 'King' })
  await hands.click(screen.getByRole('button', { name: 'Resume the monitors of ada' }))
  const dialog = within(await screen.findByRole('dialog'))
  await hands.click(dialog.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(field('Given name')).toHaveProperty('value', 'Augusta'))
  await save()
  await findConflict(
    'The account was changed in the meantime. Given name: now Augusta. Surname: now King.',
  )
  expect(kept[0].surname).toBe('King')
})

test('a complimentary plan that somebody else changed, and that the form does not show, is a conflict', async () => {
  const { hands, save } = await openUser()
  mock.handle({ updateUser: () => problem('version-mismatch') })
  await fill(hands, field('Surname'), 'Lovelace')
  await save()
  await findConflict(
    'The complimentary plan was changed in the meantime, without an effect on the plan of the account.',
  )
  expect(field('Surname')).toHaveProperty('value', 'Lovelace')
})

test('the suspension of a payer says when the subscription ends', async () => {
  serveSubscriptions(subscription({ user_id: '7', period_end: '2026-12-29T12:00:00.000Z' }))
  const { hands, save } = await openUser()
  await screen.findByText(/^Pro is paid for/)
  await hands.click(screen.getByRole('checkbox', { name: 'Can sign in, and domains are served' }))
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend ada?' }))
  const words = 'The subscription is not renewed: it ends on 29 December 2026.'
  expect(dialog.getByText(words)).toBeDefined()
})

test('a change whose effects cannot be read is not saved', async () => {
  const { hands, save } = await openUser()
  mock.handle({ previewUserPlan: () => problem('not-found', { detail: 'It is gone.' }) })
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'free')
  await save()
  expect(await screen.findByText('It is gone.')).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([])
})

test('a change without confirmation is not saved', async () => {
  const { hands, save } = await openUser()
  await hands.click(screen.getByRole('checkbox', { name: 'Can sign in, and domains are served' }))
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend ada?' }))
  await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(mock.bodiesOf('updateUser')).toEqual([])
})

test('personal names are saved without confirmation; an empty one is removed', async () => {
  const { hands, save } = await openUser()
  await fill(hands, field('Given name'), '')
  await fill(hands, field('Surname'), 'Lovelace')
  await save()
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([{ given_name: null, surname: 'Lovelace' }])
})

test('administrators cannot change their own plan and access', async () => {
  serveUsers(ROOT)
  servePlans(...PLANS)
  open(`/users/${ROOT.id}`)
  await screen.findByRole('heading', { name: 'root' })
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Plan' })).toHaveProperty('disabled', true),
  )
  expect(screen.getByRole('checkbox')).toHaveProperty('disabled', true)
  expect(field(/^Email address/)).toHaveProperty('disabled', false)
})

test('the plan Disabled closes an account, whatever its access is', async () => {
  const { hands } = await openUser(user({ account_type: 'disabled' }))
  expect(screen.getByText('Disabled', { selector: ':not(option)' })).toBeDefined()
  expect(screen.queryByText('Active')).toBeNull()
  const access = screen.getByRole('checkbox', { name: 'Can sign in, and domains are served' })
  expect(access).toHaveProperty('disabled', true)
  expect(screen.getByText(/^The plan Disabled closes the account/)).toBeDefined()
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'free')
  expect(access).toHaveProperty('disabled', false)
})

test('an invalid address is not sent', async () => {
  const { hands, save } = await openUser()
  await fill(hands, field(/^Email address/), 'nobody')
  await save()
  expect(await screen.findByText('Must be a valid email')).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([])
})

test('an error of a field is shown at the field', async () => {
  const { hands, save } = await openUser()
  const errors = [{ field: 'surname', message: 'surname holds a control character.' }]
  mock.handle({ updateUser: () => problem('validation-failed', { errors }) })
  await fill(hands, field('Surname'), 'L')
  await save()
  const told = await screen.findByText('surname holds a control character.')
  expect(field('Surname').getAttribute('aria-describedby')).toContain(told.closest('p')?.id)
})

test('any other error stays until the user dismisses it', async () => {
  const { hands, save } = await openUser()
  mock.handle({
    updateUser: () => problem('conflict', { detail: 'There is no other administrator.' }),
  })
  await fill(hands, field('Surname'), 'L')
  await save()
  expect(await screen.findByText('There is no other administrator.')).toBeDefined()
})

test('unsaved changes are not lost without a warning', async () => {
  const { hands } = await openUser()
  await fill(hands, field('Surname'), 'L')
  await hands.click(screen.getByRole('link', { name: '12 domains' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await hands.click(dialog.getByRole('button', { name: 'Stay' }))
  expect(location.pathname).toBe('/admin/users/7')
})

test('a deleted account is reported', async () => {
  serveUsers()
  open('/users/7')
  expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Users', current: 'page' })).toBeDefined()
})
