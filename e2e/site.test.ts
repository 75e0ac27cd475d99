/// <reference lib="dom" />
/** The public pages in Chromium: the way in, the app behind fragments, the switch of the prices, access, and size. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import { accessibilityFindings, colourFindings } from './support/axe.ts'
import { DESKTOP, NARROW, PHONE, resize, type WatchedPage } from './support/browser.ts'
import { button, hashOf, picture, useSharedDashboard } from './support/dashboard.ts'

/** Of a page with everything that it loads, compressed, with headers. */
const TRANSFER_LIMIT_BYTES = 60_000
const START_SCRIPT_LIMIT_BYTES = 1_000

const PATHS = ['/', '/pricing', '/terms', '/privacy'] as const

const signInForm = (page: Page) => page.getByLabel('Username or email')
const headline = (page: Page) => page.getByRole('heading', { level: 1, name: /^A domain that/ })

describe('the public pages', needs('chromium'), () => {
  const world = useSharedDashboard()
  let frida: Account
  beforeAll(async () => {
    frida = await registerAccount(world().stack, 'frida')
  })

  describe('the way in', () => {
    test('a name on the landing page continues to the registration', async () => {
      const watched = await world().open()
      const { page } = watched
      await page.route('**/api/zones/availability?*', (route) =>
        route.fulfill({ json: [{ zone: 'homing.test', available: true }] }),
      )
      await page.goto('/')
      await page.getByLabel('Find your domain').fill('Frida-Home')
      const offer = page.getByRole('link', { name: 'Available: register' })
      expect(await offer.getAttribute('href')).toBe('/register?domain=frida-home.homing.test')
      expect(await page.locator('#name-status').textContent()).toMatch(/^Available: frida-home\./)
      const asked = page.waitForRequest((request) => request.isNavigationRequest())
      await button(page, 'Register it').click()
      expect(new URL((await asked).url()).pathname).toBe('/register')
      await watched.close()
    })

    test('works without scripts', async () => {
      const watched = await world().open({ javaScriptEnabled: false })
      const { page } = watched
      // The app behind the form needs scripts. Chromium reports its preloads as refused.
      watched.expectStatus(/^\/assets\//, 0)
      await page.goto('/')
      await page.getByLabel('Find your domain').fill('frida')
      const answered = page.waitForResponse((response) => response.status() === 303)
      await button(page, 'Register it').click()
      const location = await (await answered).headerValue('location')
      expect(location).toBe('/register?domain=frida.homing.test')
      await watched.close()
    })

    test('shows the visitor’s address, and copies it', async () => {
      const watched = await world().open({ permissions: ['clipboard-read', 'clipboard-write'] })
      const { page } = watched
      await page.goto('/')
      expect(await page.locator('#own-address').textContent()).toBe('127.0.0.1')
      await button(page, 'Copy').click()
      await page.getByText('Copied to clipboard!').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('127.0.0.1')
      await watched.close()
    })
  })

  describe('the app', () => {
    test('opens at / for a fragment that names a screen', async () => {
      const watched = await world().open()
      const { page } = watched
      await page.goto('/#login')
      await signInForm(page).waitFor()
      expect(page.url()).toBe(`${world().stack.url}/#login`)
      await page.goBack()
      await page.goto('/#dashboard?q=nas')
      await signInForm(page).waitFor()
      expect(hashOf(page)).toBe('#login?next=dashboard%3Fq%3Dnas')
      await watched.close()
    })

    test('does not open for other fragments', async () => {
      const watched = await world().open()
      for (const path of ['/#content', '/#nowhere', '/?landing#content']) {
        await watched.page.goto(path)
        await headline(watched.page).waitFor()
        expect(watched.page.url()).toBe(`${world().stack.url}${path}`)
      }
      await watched.close()
    })

    test('opens for a session; the logo leads to the landing page, and its header back', async () => {
      const watched = await world().openFor(frida)
      const { page } = watched
      await page.goto('/')
      await page.getByText('Welcome, frida').waitFor()
      await page.getByRole('link', { name: 'Homing: home page' }).click()
      await headline(page).waitFor()
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByText('Welcome, frida').waitFor()
      expect(page.url()).toBe(`${world().stack.url}/#dashboard`)
      await watched.close()
    })

    test('adopts a session whose user the browser has forgotten', async () => {
      const watched = await world().openFor(frida)
      const { page } = watched
      await page.getByText('No domains configured yet').waitFor()
      await page.evaluate(() => localStorage.clear())
      await page.goto('/?landing')
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByText('Welcome, frida').waitFor()
      expect(await page.evaluate(() => localStorage.getItem('user'))).toContain('frida')
      await watched.close()
    })

    test('asks to sign in when the user is stored and the session is gone, and then lets go', async () => {
      const watched = await world().openFor(frida)
      const { page } = watched
      await page.getByText('No domains configured yet').waitFor()
      await page.goto('/?landing')
      await page.context().clearCookies()
      watched.expectStatus(/^\/api\//, 401)
      await page.goto('/')
      await signInForm(page).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
      await page.goto('/?landing')
      await page.goto('/')
      await headline(page).waitFor()
      await watched.close()
    })
  })

  test('the switch of the prices works with the keyboard', async () => {
    const watched = await world().open({ javaScriptEnabled: false })
    const { page } = watched
    await page.goto('/pricing')
    const prices = () => page.locator('.price:visible').allInnerTexts()
    const monthly = page.getByRole('radio', { name: 'Monthly' })
    await monthly.focus()
    expect((await prices()).join(' ')).toContain('$10 per month')
    await page.keyboard.press('ArrowRight')
    const shown = (await prices()).join(' ')
    expect(shown).toMatch(/\$110 per year\s*You save \$10/)
    expect(shown).toMatch(/\$275 per year\s*You save \$25/)
    expect(shown).not.toContain('per month')
    await watched.close()
  })

  test('a URL that does not exist is a page with status 404', async () => {
    const watched = await world().open()
    const { page } = watched
    watched.expectStatus('/nowhere', 404)
    expect((await page.goto('/nowhere'))?.status()).toBe(404)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Pricing' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pricing' }).waitFor()
    await watched.close()
  })

  describe.each(PATHS)('%s', (path) => {
    let watched: WatchedPage
    beforeAll(async () => {
      watched = await world().open({ isFresh: true })
    })
    afterAll(() => watched.close())

    test('transfers at most 60 kB', async () => {
      const { page } = watched
      const sizes = new Map<string, number>()
      const pending: Promise<void>[] = []
      page.on('requestfinished', (request) => {
        const measured = request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
          sizes.set(new URL(request.url()).pathname, responseBodySize + responseHeadersSize)
        })
        pending.push(measured)
      })
      await page.goto(path, { waitUntil: 'networkidle' })
      await Promise.all(pending)
      const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
      expect(sizes.size).toBeGreaterThan(2)
      expect(total).toBeLessThanOrEqual(TRANSFER_LIMIT_BYTES)
      const blocking = await page.evaluate(async () => {
        const [script] = document.querySelectorAll<HTMLScriptElement>('script:not([type])')
        return (await (await fetch(script?.src ?? '')).arrayBuffer()).byteLength
      })
      expect(blocking).toBeLessThanOrEqual(START_SCRIPT_LIMIT_BYTES)
    })

    test('has nothing that axe finds in either scheme, and nothing cut off, at any width', async () => {
      const { page } = watched
      const findings: string[] = []
      const look = async (scheme: 'light' | 'dark', viewport: typeof DESKTOP) => {
        await resize(page, viewport)
        await picture(page, `site${path.replace('/', '-')}-${scheme}-${viewport.width}`)
        // The content is the same in both schemes.
        const found = await (scheme === 'light' ? accessibilityFindings : colourFindings)(page)
        findings.push(...found.map((finding) => `${scheme} ${viewport.width}: ${finding}`))
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        )
        if (overflow > 0) findings.push(`${viewport.width}: ${overflow} pixels too wide`)
      }
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.goto(path)
        for (const viewport of [DESKTOP, PHONE]) await look(scheme, viewport)
        if (scheme === 'light') await look(scheme, NARROW)
      }
      expect(findings).toEqual([])
    })
  })
})
