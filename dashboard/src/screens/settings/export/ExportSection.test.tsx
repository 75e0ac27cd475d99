import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'

const saved: Blob[] = []

beforeEach(() => {
  saved.length = 0
  const createObjectURL = (blob: Blob) => `blob:${saved.push(blob)}`
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL }))
})

test('the export is saved as a file, with its size', async () => {
  const hands = openDashboard('#settings/export')
  await hands.click(await screen.findByRole('button', { name: 'Export My Data' }))
  expect(
    await screen.findByText(/^The export is complete: account\.json, \d\.\d kB\.$/),
  ).toBeDefined()
  expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(exampleOf('exportAccount'))
})

test('a lost connection is an error, and the export can be requested again', async () => {
  mock.handle({ exportAccount: () => Promise.reject(new TypeError('connection lost')) })
  const hands = openDashboard('#settings/export')
  await hands.click(await screen.findByRole('button', { name: 'Export My Data' }))
  expect(await screen.findByText('Network error: connection lost')).toBeDefined()
  mock.handle({ exportAccount: () => ok(exampleOf('exportAccount')) })
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText(/^The export is complete/)).toBeDefined()
  expect(saved.length).toBe(1)
})

test('the daily limit says when the next export is possible', async () => {
  mock.handle({
    exportAccount: () => problem('rate-limited', { detail: 'Five a day.', retryAfterSeconds: 90 }),
  })
  const hands = openDashboard('#settings/export')
  await hands.click(await screen.findByRole('button', { name: 'Export My Data' }))
  expect(await screen.findByText('Five a day.')).toBeDefined()
  expect(screen.getByRole('button', { name: /^Try again in \d+ s$/ })).toBeDefined()
})
