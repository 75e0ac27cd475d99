/** The calls that are made before the app runs: those of the dashboard, once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { domain, serveDomains } from '../../test/domains.ts'
import { mock } from '../../test/mock.ts'
import { openDashboard } from '../../test/screen.tsx'

const SCRIPT = readFileSync(join(import.meta.dirname, 'ahead.js'), 'utf8')
const USER = { id: '7', username: 'ada', account_type: 'pro' }

/** Runs the script in a browser that remembers a user. @returns the URLs of its calls */
function callsAhead(user: object | null = USER, hash = '#dashboard') {
  if (user !== null) localStorage.setItem('user', JSON.stringify(user))
  location.hash = hash
  const calls = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => {
    calls.mockRestore()
    globalThis.homingAhead = undefined
  })
  runInThisContext(SCRIPT)
  return calls.mock.calls.map(([url]) => url)
}

beforeEach(() => {
  localStorage.clear()
  globalThis.homingAhead = undefined
})

test('are those that the dashboard would make, and the dashboard uses their answers', async () => {
  serveDomains(domain())
  const urls = callsAhead()
  expect(urls).toHaveLength(4)
  const made = mock.calls.map(({ id }) => id)
  openDashboard()
  await screen.findByRole('rowheader', { name: 'home.example.net' })
  expect(globalThis.homingAhead?.answers.size).toBe(0)
  expect(mock.calls.map(({ id }) => id).filter((id) => made.includes(id))).toEqual(made)
})

test.each([
  { what: 'nobody is remembered', user: null, hash: '' },
  { what: 'the user is an administrator', user: { ...USER, account_type: 'admin' }, hash: '' },
  { what: 'another screen is opened', user: USER, hash: '#settings' },
  { what: 'the table is not at its beginning', user: USER, hash: '#dashboard?page=2' },
])('are not made when $what', async ({ user, hash }) => {
  expect(callsAhead(user, hash)).toEqual([])
  expect(globalThis.homingAhead).toBeUndefined()
})
