import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { openDashboard, openSignIn } from '../../../test/screen.tsx'

const confirm = () => screen.findByRole('button', { name: 'Confirm this address' })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

test('nothing is confirmed before the button is pressed; the second address changes it', async () => {
  const hands = openDashboard('#confirm-email/x7Jd0mQv')
  await confirm()
  expect(mock.bodiesOf('confirmEmailChange')).toEqual([])
  await hands.click(await confirm())
  expect(await heading('Email Address Changed')).toBeDefined()
  expect(mock.bodiesOf('confirmEmailChange')).toEqual([{ token: 'x7Jd0mQv' }])
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toBeDefined()
})

test('the first address waits for the other', async () => {
  mock.handle({
    confirmEmailChange: () => ok({ ...exampleOf('confirmEmailChange'), is_changed: false }),
  })
  const hands = openSignIn('#confirm-email/x7Jd0mQv')
  await hands.click(await confirm())
  expect(await heading('Address Confirmed')).toBeDefined()
  expect(screen.getByText('Open the link that we mailed to the other address.')).toBeDefined()
})

test.each([
  ['link-invalid', 'Invalid Link'],
  ['link-expired', 'Link Expired'],
] as const)('a link that is refused with %s says so', async (code, title) => {
  mock.handle({ confirmEmailChange: () => problem(code, { detail: 'It is over.' }) })
  const hands = openSignIn('#confirm-email/x7Jd0mQv')
  await hands.click(await confirm())
  expect(await heading(title)).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('It is over.')
})
