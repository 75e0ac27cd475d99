/** A session that the app does not know: it began in the back office, or the browser's storage was cleared. */
import { expect, test } from 'vitest'
import { exampleOf, mock, ok } from '../../test/mock.ts'
import { adoptSession } from './account.ts'
import { isUserKnown } from './session.ts'

test('signs the app in', async () => {
  mock.caller = 'user'
  mock.handle({ getMe: () => ok(exampleOf('getMe')) })
  await adoptSession()
  expect(isUserKnown()).toBe(true)
  expect(localStorage.getItem('user')).toContain('"username":"ada"')
})

test('that does not exist, or is not answered, changes nothing', async () => {
  mock.caller = 'nobody'
  await adoptSession()
  mock.handle({ getMe: () => Promise.reject(new TypeError('Failed to fetch')) })
  await adoptSession()
  expect(isUserKnown()).toBe(false)
})
