import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { plan, ROOT, servePlans, serveUsers, user } from '../../../test/records.ts'
import { fill, open } from '../../../test/screen.tsx'

const PLANS = [
  plan({ id: 'free', domain_limit: 5, ttl: 3600, abilities: [] }),
  plan({ id: 'pro', domain_limit: 100 }),
]

/** The page of an account. */
async function openUser(account = user({ domain_count: 12 })) {
  const kept = serveUsers(account, user({ id: '8', username: 'bob' }))
  servePlans(...PLANS)
  const hands = open(`/users/${account.id}`)
  await screen.findByRole('heading', { name: account.username })
  const save = async () => hands.click(screen.getByRole('button', { name: 'Save' }))
  return { kept, hands, save }
}

const field = (name: RegExp | string) => screen.getByRole('textbox', { name })

test('a change of plan says what it does before it is made, and carries nothing else', async () => {
  const { kept, hands, save } = await openUser()
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'free')
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Change ada from Pro to Free?' }))
  expect(dialog.getByText(/of 12 names, the newest 7 will be withheld from DNS/)).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([])
  await hands.click(dialog.getByRole('button', { name: 'Change plan' }))
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect([mock.bodiesOf('updateUser'), kept[0]?.account_type]).toEqual([
    [{ account_type: 'free' }],
    'free',
  ])
})

test('a change that is not confirmed is not made', async () => {
  const { hands, save } = await openUser()
  await hands.click(screen.getByRole('checkbox', { name: 'May sign in, and names are served' }))
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend ada?' }))
  await hands.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(mock.bodiesOf('updateUser')).toEqual([])
})

test('names cost nothing, so they are saved at once; an emptied one is taken away', async () => {
  const { hands, save } = await openUser()
  await fill(hands, field('Given name'), '')
  await fill(hands, field('Surname'), 'Lovelace')
  await save()
  expect(await screen.findByText('Saved.')).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([{ given_name: null, surname: 'Lovelace' }])
})

test('one’s own plan and access are for others to change', async () => {
  serveUsers(ROOT)
  servePlans(...PLANS)
  open(`/users/${ROOT.id}`)
  await screen.findByRole('heading', { name: 'root' })
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Plan' })).toHaveProperty('disabled', true),
  )
  expect(screen.getByRole('checkbox')).toHaveProperty('disabled', true)
  expect(field(/^E-mail address/)).toHaveProperty('disabled', false)
})

test('an address that is none is not sent', async () => {
  const { hands, save } = await openUser()
  await fill(hands, field(/^E-mail address/), 'nobody')
  await save()
  expect(await screen.findByText('Must be a valid email')).toBeDefined()
  expect(mock.bodiesOf('updateUser')).toEqual([])
})

test('what the API finds wrong with a field is said there', async () => {
  const { hands, save } = await openUser()
  const errors = [{ field: 'surname', message: 'surname holds a control character.' }]
  mock.handle({ updateUser: () => problem('validation-failed', { errors }) })
  await fill(hands, field('Surname'), 'L')
  await save()
  const told = await screen.findByText('surname holds a control character.')
  expect(field('Surname').getAttribute('aria-describedby')).toContain(told.closest('p')?.id)
})

test('any other refusal stays until it is read', async () => {
  const { hands, save } = await openUser()
  mock.handle({
    updateUser: () => problem('conflict', { detail: 'There is no other administrator.' }),
  })
  await fill(hands, field('Surname'), 'L')
  await save()
  expect(await screen.findByText('There is no other administrator.')).toBeDefined()
})

test('what is not saved is not lost by leaving', async () => {
  const { hands } = await openUser()
  await fill(hands, field('Surname'), 'L')
  await hands.click(screen.getByRole('link', { name: '12 names' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await hands.click(dialog.getByRole('button', { name: 'Stay' }))
  expect(location.pathname).toBe('/admin/users/7')
})

test('an account that is gone says so', async () => {
  serveUsers()
  open('/users/7')
  expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Users', current: 'page' })).toBeDefined()
})
