/// <reference lib="dom" />
/** The sign-in screen that browsers show before the app runs. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { PHONE } from './support/browser.ts'
import { passwordField, untilFocused, useSharedDashboard } from './support/dashboard.ts'

/** Holds the app back, as a slow connection does. @returns lets it come */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/app-*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const atWork = (page: Page) => page.locator('html:not([data-waiting])').waitFor()
const username = (page: Page) => page.getByLabel('Username or email')
const shown = async (page: Page) => {
  await page.evaluate(async () => document.fonts.ready)
  return page.screenshot({ caret: 'hide', animations: 'disabled' })
}

describe('the written sign-in screen', needs('chromium'), () => {
  const world = useSharedDashboard()

  test.each(['light', 'dark'] as const)('looks as the app renders it: %s', async (colorScheme) => {
    const watched = await world().open({ viewport: PHONE, colorScheme })
    const { page } = watched
    await page.addInitScript(() => {
      const shifts: number[] = []
      const add = (list: PerformanceObserverEntryList) =>
        shifts.push(
          ...list.getEntries().map((entry) => (entry as unknown as { value: number }).value),
        )
      new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
      Object.assign(globalThis, { shifts })
    })
    const release = await holdApp(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await username(page).waitFor()
    const before = await shown(page)
    // The typeface has been loaded, and may have moved text by a fraction of a pixel.
    await page.evaluate(() => void Reflect.get(globalThis, 'shifts').splice(0))
    release()
    await atWork(page)
    expect((await shown(page)).equals(before)).toBe(true)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts'))).toEqual([])
    await watched.close()
  })

  test('keeps what the user types and presses, and sends no password in a URL', async () => {
    const watched = await world().open()
    const { page } = watched
    watched.expectStatus('/api/login', 401)
    const release = await holdApp(page)
    await page.goto('/login', { waitUntil: 'commit' })
    await untilFocused(username(page))
    await page.keyboard.type('nobody-of-this-name')
    await passwordField(page).fill('correct horse')
    await passwordField(page).press('Enter')
    expect(await page.locator('html').getAttribute('data-pressed')).toBe('')
    expect(new URL(page.url()).search).toBe('')
    const sent = page.waitForRequest('**/api/login')
    release()
    expect((await sent).postDataJSON()).toEqual({
      username_or_email: 'nobody-of-this-name',
      password: 'correct horse',
    })
    await page.getByText('Invalid username/email or password').waitFor()
    await watched.close()
  })

  test('is not shown where the fragment is another screen', async () => {
    const watched = await world().open()
    const { page } = watched
    const release = await holdApp(page)
    await page.goto('/login#forgot-password', { waitUntil: 'commit' })
    await username(page).waitFor({ state: 'attached' })
    await expect.poll(() => username(page).isVisible()).toBe(false)
    release()
    await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
    await watched.close()
  })

  test('says why a stored user has to sign in', async () => {
    const watched = await world().open()
    const { page } = watched
    watched.expectStatus('/api/me', 401)
    await page.goto('/pricing')
    await page.evaluate(() =>
      localStorage.setItem('user', '{"id":"7","username":"ada","account_type":"user"}'),
    )
    const release = await holdApp(page)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByText(/^Your session has ended\./).waitFor()
    const refused = page.waitForResponse('**/api/me')
    release()
    await refused
    await page.waitForFunction(() => localStorage.getItem('user') === null)
    expect(await page.getByText(/^Your session has ended\./).isVisible()).toBe(true)
    await watched.close()
  })

  test('shows no form without scripts, and a way on when they do not come', async () => {
    const silent = await world().open({ javaScriptEnabled: false })
    await silent.page.goto('/login')
    expect(await username(silent.page).isVisible()).toBe(false)
    expect(await silent.page.locator('noscript').isVisible()).toBe(true)
    await silent.close()

    const broken = await world().open()
    await broken.page.route('**/assets/app-*.js', (route) => route.abort())
    await broken.page.goto('/login')
    await broken.page.getByRole('alert').getByRole('link', { name: 'Reload' }).waitFor()
    await broken.page.context().close()
  })
})
