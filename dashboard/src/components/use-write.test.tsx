/** A double click, and Enter together with a click, send one call: on forms, in dialogs, and by buttons. */
import { act, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buttonOf, FORMS, openForm } from '../../test/forms.ts'
import { mock, problem } from '../../test/mock.ts'

test.each(FORMS)('$button at $at', async (form) => {
  await openForm(form)
  // The form stays.
  mock.handle({ [form.sends]: () => problem('rate-limited') })
  const pressed = buttonOf(form.button)
  // In one step, so that nothing is rendered between.
  await act(async () => {
    pressed.click()
    pressed.form?.requestSubmit()
    pressed.click()
  })
  await waitFor(() => expect(mock.bodiesOf(form.sends)).toHaveLength(1))
})
