/** What every form does when the service is unavailable, fails, or refuses too many requests: it keeps what was typed, and says what to do. */
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buttonOf, type Form, FORMS, openForm } from '../test/forms.ts'
import { mock, problem } from '../test/mock.ts'

const typed = () =>
  [...document.querySelectorAll('input')].map(({ value, checked }) => [value, checked])

const refuseWith = (form: Form, answer: () => ReturnType<typeof problem> | Promise<never>) =>
  mock.handle({ [form.sends]: answer })

test.each(FORMS)('$button at $at', async (form) => {
  const hands = await openForm(form)
  const before = typed()
  const send = async () => hands.click(buttonOf(form.button))

  refuseWith(form, () => Promise.reject(new TypeError('Failed to fetch')))
  await send()
  expect((await screen.findByRole('alert')).textContent).toContain('Network error')

  refuseWith(form, () => problem('internal-error', { detail: 'Something failed.' }))
  await send()
  const failure = await screen.findByText('Something failed.')
  expect(failure.closest('[role="alert"]')?.textContent).toContain('Request request-1')

  refuseWith(form, () => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }))
  await send()
  await waitFor(() => expect(document.body.textContent).toMatch(/ again in \d\d s/))
  expect(typed()).toEqual(before)
  expect(mock.bodiesOf(form.sends)).toHaveLength(3)
})

const IN_DIALOGS: readonly string[] = [
  'createDomain',
  'deleteDomain',
  'createApiKey',
] satisfies Form['sends'][]

test.each(FORMS.filter(({ sends }) => IN_DIALOGS.includes(sends)))(
  '$button in a dialog is held while the service refuses another attempt',
  async (form) => {
    const hands = await openForm(form)
    refuseWith(form, () => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 2 }))
    await hands.click(buttonOf(form.button))
    const held = await screen.findByRole('button', { name: /^Try again in [12] s$/ })
    expect(held.getAttribute('aria-disabled')).toBe('true')
    await hands.click(held)
    expect(mock.bodiesOf(form.sends)).toHaveLength(1)
    await waitFor(() => expect(buttonOf(form.button).getAttribute('aria-disabled')).toBe('false'), {
      timeout: 10_000,
    })
    await hands.click(buttonOf(form.button))
    expect(mock.bodiesOf(form.sends)).toHaveLength(2)
  },
)
