/** Lists that another device changes while they are on the screen. */
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { mock } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'
import { serveSections, SETTINGS } from '../../../test/settings-sections.ts'

const LISTS = ['two-factor', 'passkeys', 'sessions', 'activity', 'api-keys', 'pipelines']

const EVERY_MS = 30_000
/** What runs twice a minute. */
let due: (() => void)[] = []

beforeEach(() => {
  due = []
  serveSections()
  const real = globalThis.setInterval
  vi.spyOn(globalThis, 'setInterval').mockImplementation((run: () => void, ms?: number) => {
    if (ms === EVERY_MS) due.push(run)
    return real(run, ms)
  })
})

const passHalfMinute = () =>
  act(() => {
    for (const run of due) run()
  })

test.each(SETTINGS.filter(({ id }) => LISTS.includes(id)))(
  '$id is read again twice a minute, but not in a hidden tab',
  async ({ id, reads, text }) => {
    openDashboard(`#settings/${id}`)
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    const count = () => mock.calls.filter((call) => call.id === reads).length
    const before = count()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    passHalfMinute()
    expect(count()).toBe(before)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    passHalfMinute()
    await waitFor(() => expect(count()).toBe(before + 1))
  },
)
