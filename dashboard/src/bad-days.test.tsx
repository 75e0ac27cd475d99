/** What every form does when the service is unavailable, fails, or refuses too many requests: it keeps what was typed, says what to do, and holds its button. */
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

test.each(FORMS)(
  '$button at $at is held while the service refuses another attempt',
  async (form) => {
    const hands = await openForm(form)
    refuseWith(form, () => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 1 }))
    await hands.click(buttonOf(form.button))
    const held = await screen.findByRole('button', { name: 'Try again in 1 s' })
    expect(held.getAttribute('aria-disabled')).toBe('true')
    // Typing removes the error, but not the wait.
    const field = document.querySelector<HTMLInputElement>('.field-box input')
    if (field) await hands.type(field, 'x')
    expect(held.textContent).toMatch(/^Try again/)
    await hands.click(held)
    expect(mock.bodiesOf(form.sends)).toHaveLength(1)
    await waitFor(() => expect(buttonOf(form.button).getAttribute('aria-disabled')).toBe('false'), {
      timeout: 10_000,
    })
  },
)
