/** The note about a new version of the app. */
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { watchAppVersion } from '../../api/app-version.ts'
import { fill, openDashboard } from '../../../test/screen.tsx'

const PAGE_TYPE = { headers: { 'content-type': 'text/html; charset=utf-8' } }
const NOTE = 'A new version is available.'

let watch: ReturnType<typeof watchAppVersion> | undefined
afterEach(() => watch?.stop())

/** The service answers the app's page with this script. @returns the calls for the page */
function serveScript(name: string) {
  const page = vi.fn(async () => new Response(`<script src="/assets/${name}">`, PAGE_TYPE))
  vi.stubGlobal('fetch', page)
  watch = watchAppVersion('https://homing.test/assets/index-one.js')
  return page
}

test('appears when the service serves another script, and not while changes are unsaved', async () => {
  const user = openDashboard('#settings/profile')
  await fill(user, await screen.findByRole('textbox', { name: 'First name' }), 'Augusta')
  serveScript('index-two.js')
  await act(async () => watch?.check())
  expect(screen.queryByText(NOTE)).toBeNull()
  await fill(user, screen.getByRole('textbox', { name: 'First name' }), 'Ada')
  expect(await screen.findByText(NOTE)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
})

test('the page is requested when it becomes visible, at most every 15 minutes, and not while hidden', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const page = serveScript('index-one.js')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  vi.advanceTimersByTime(20 * 60_000)
  expect(page).not.toHaveBeenCalled()
  hidden.mockReturnValue(false)
  fireEvent(document, new Event('visibilitychange'))
  fireEvent(document, new Event('visibilitychange'))
  expect(page).toHaveBeenCalledTimes(1)
  dispatchEvent(new Event('vite:preloadError'))
  expect(page).toHaveBeenCalledTimes(2)
})
