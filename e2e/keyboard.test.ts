/// <reference lib="dom" />
/** The shell of the app: one journey by keyboard alone, every screen on narrow and zoomed windows, a new version. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import { NARROW, PHONE, resize } from './support/browser.ts'
import {
  button,
  dialog,
  hashOf,
  picture,
  rowOf,
  signInTo,
  untilFocused,
  useSharedDashboard,
} from './support/dashboard.ts'
import { layoutFindings } from './support/layout.ts'

const VISITOR_SCREENS = [
  'login',
  'register',
  'registration-success',
  'resend-verification',
  'forgot-password',
  'verify-email',
  'reset-password',
  'confirm-email',
]

const SECTIONS = [
  'profile',
  'email',
  'notifications',
  'keyboard',
  'plan',
  'password',
  'two-factor',
  'passkeys',
  'sessions',
  'activity',
  'api-keys',
  'pipelines',
  'export',
  'danger',
]

/** A window of 1280 pixels. */
const ZOOMED = { width: 640, height: 400 }

const DIALOGS = ['add', 'update', 'how-to', 'delete']

const palette = (page: Page) => page.getByRole('combobox', { name: /^Search actions/ })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Types into the palette until an entry is the active one, and chooses it. */
async function goByPalette(page: Page, text: string, entry: RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await untilFocused(palette(page))
  await page.keyboard.type(text)
  await page.getByRole('option', { name: entry, selected: true }).waitFor()
  await page.keyboard.press('Enter')
}

/** Whether the element that has the focus looks different from when it does not. */
const isFocusVisible = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement)) return false
    const looks = [at, at.parentElement ?? at].flatMap((element) => {
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      return [outlineStyle !== 'none', boxShadow !== 'none']
    })
    return looks.includes(true) || at.closest('.Mui-focused, .Mui-focusVisible') !== null
  })

/** Opens the palette, until it has the focus, and closes it. @returns milliseconds */
async function openingTime(page: Page): Promise<number> {
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const start = performance.now()
        const look = () => {
          const isOpen = document.activeElement?.getAttribute('role') === 'combobox'
          if (isOpen) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
        look()
      }),
  )
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  return ms
}

describe('the keyboard', needs('chromium'), () => {
  const world = useSharedDashboard()
  let kim: Account
  beforeAll(async () => {
    kim = await registerAccount(world().stack, 'kim')
    await addNames(kim, ['kim.homing.test'])
  })

  test('alone signs in, adds and updates a domain, changes settings and signs out', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/login')
    await untilFocused(page.getByLabel('Username or email'))
    expect(await isFocusVisible(page)).toBe(true)
    await page.keyboard.type('kim')
    await page.keyboard.press('Tab')
    await page.keyboard.type(kim.password)
    await page.keyboard.press('Enter')
    await untilFocused(title(page, 'Dashboard'))

    await goByPalette(page, 'add', /^Add Domain/)
    await untilFocused(dialog(page).getByLabel('Subdomain'))
    expect([hashOf(page), await isFocusVisible(page)]).toEqual(['#dashboard?dialog=add', true])
    await page.keyboard.type('keys-of-kim')
    watched.expectStatus(/\/update-token$/, 404)
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Waiting for the first update…').waitFor()
    expect(hashOf(page)).toMatch(/^#dashboard\?dialog=how-to&id=\d+$/)
    await page.keyboard.press('Escape')
    await rowOf(page, 'keys-of-kim.homing.test').waitFor()
    await expect.poll(() => hashOf(page)).toBe('#dashboard')

    await goByPalette(page, 'keys-of', /^keys-of-kim\.homing\.test/)
    await untilFocused(title(page, 'keys-of-kim.homing.test'))
    const update = page.getByRole('button', { name: 'Update', exact: true })
    for (let steps = 0; steps < 30; steps += 1) {
      if (await update.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('Tab')
      expect(await isFocusVisible(page)).toBe(true)
    }
    await page.keyboard.press('Enter')
    await untilFocused(dialog(page).getByLabel('IPv4 address'))
    // The address of the dialog keeps it over a reload.
    await page.reload()
    await untilFocused(dialog(page).getByLabel('IPv4 address'))
    await page.keyboard.type('192.0.2.78')
    await page.keyboard.press('Enter')
    await world().served('keys-of-kim.homing.test', '192.0.2.78')
    await dialog(page).waitFor({ state: 'detached' })
    // The dialog leaves the URL after it has left the page.
    await expect.poll(() => hashOf(page)).not.toContain('dialog=')

    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await untilFocused(title(page, 'Dashboard'))
    await page.keyboard.press('?')
    await dialog(page).getByText('On this screen').waitFor()
    expect(await isFocusVisible(page)).toBe(true)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await untilFocused(title(page, 'Profile Information'))
    expect(await page.title()).toBe('Profile Information · Settings · Homing')
    await goByPalette(page, 'logout', /^Logout/)
    await page.getByRole('link', { name: 'Login', exact: true }).first().waitFor()
    await watched.close()
  })

  test('the palette opens within 100 ms, also by its button on a phone', async () => {
    const watched = await world().openFor(kim, { viewport: PHONE })
    const { page } = watched
    await rowOf(page, 'kim.homing.test').waitFor()
    // The palette is loaded when the screen is.
    await page.waitForLoadState('networkidle')
    await button(page, /^Search or go to/).click()
    await untilFocused(palette(page))
    expect(await accessibilityFindings(page)).toEqual([])
    await picture(page, 'palette-phone')
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    // A busy machine needs more than one attempt.
    await expect.poll(() => openingTime(page)).toBeLessThan(100)
    await watched.close()
  })

  test('no screen and no dialog hides anything at 320 pixels and at 200 % zoom', async () => {
    const watched = await world().open({ viewport: ZOOMED, deviceScaleFactor: 2 })
    const { page } = watched
    const findings: string[] = []
    const look = async (hash: string) => {
      for (const size of [NARROW, ZOOMED]) {
        await resize(page, size)
        await picture(page, `${hash}-${size.width}`)
        const found = await layoutFindings(page)
        findings.push(...found.map((finding) => `${hash} ${size.width}: ${finding}`))
      }
    }
    watched.expectStatus(/^\/api\//, 404)
    for (const screen of VISITOR_SCREENS) {
      await page.goto(`/#${screen}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(screen)
    }
    await page.goto('/#login')
    await signInTo(page, kim)
    await rowOf(page, 'kim.homing.test').waitFor()
    await look('dashboard')
    watched.expectStatus(/\/api-keys\/$|\/trust-policies\/?$/, 403)
    const { data: [domain] = [] } = await kim.api.GET('/api/domains')
    for (const name of DIALOGS) {
      const hash = name === 'add' ? '?dialog=add' : `?dialog=${name}&id=${domain?.id}`
      await page.goto(`/#dashboard${hash}`)
      await dialog(page).waitFor()
      await look(name)
    }
    for (const section of SECTIONS) {
      await page.goto(`/#settings/${section}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('.settings-section > :nth-child(2)').first().waitFor()
      await page.locator('.section-skeleton').waitFor({ state: 'detached' })
      await look(section)
    }
    await page.keyboard.press('Control+k')
    await untilFocused(palette(page))
    await look('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await dialog(page).waitFor()
    await look('overview')
    expect(findings).toEqual([])
    await watched.close()
  })

  test('a part of a former version that is gone leads to a notice, and a new version is announced', async () => {
    const watched = await world().openFor(kim)
    const { page } = watched
    await rowOf(page, 'kim.homing.test').waitFor()
    await page.route('**/assets/SettingsScreen-*.js', (route) => route.fulfill({ status: 404 }))
    await page.route('**/login', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="/assets/index-new.js">' }),
    )
    watched.expectStatus(/SettingsScreen/, 404)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByText('This part of the page could not be loaded.').waitFor()
    await page.getByText('A new version is available.').waitFor()
    await page.unroute('**/assets/SettingsScreen-*.js')
    await button(page, 'Reload').click()
    await title(page, 'Profile Information').waitFor()
    expect(hashOf(page)).toBe('#settings/profile')
    await page.context().close()
  })
})
