/// <reference lib="dom" />
/** Accessibility of the dashboard: keyboard, screen readers, dark scheme, reduced motion. */
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import {
  button,
  chooseInMenu,
  dialog,
  openUpdate,
  picture,
  rowOf,
  signInTo,
  untilFocused,
  useSharedDashboard,
} from './support/dashboard.ts'

describe('accessibility of the dashboard', needs('chromium'), () => {
  const world = useSharedDashboard()
  let bob: Account
  beforeAll(async () => {
    bob = await registerAccount(world().stack, 'bob')
    await addNames(bob, ['nas.homing.test'])
  })

  test('axe finds nothing in both schemes at either width', async () => {
    const watched = await world().open()
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      const found = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
        picture(page, `dashboard-${where}-${scheme}-${width}`),
      )
      findings.push(...found.map((finding) => `${where}: ${finding}`))
    }
    await page.goto('/login')
    await button(page, 'Sign In').click()
    await page.getByRole('alert').waitFor()
    await look('sign in')
    await signInTo(page, bob)
    await rowOf(page, 'nas.homing.test').waitFor()
    await look('dashboard')
    watched.expectStatus(/\/update-token$/, 404)
    const nas = 'nas.homing.test'
    const openers = {
      'add domain': async () => button(page, 'Add Domain').click(),
      import: async () => button(page, 'Import').click(),
      update: async () => openUpdate(page, nas),
      delete: async () => chooseInMenu(page, nas, 'Delete'),
      'how to update': async () => chooseInMenu(page, nas, 'How to Update'),
    }
    for (const [name, open] of Object.entries(openers)) {
      await open()
      await dialog(page).waitFor()
      await look(name)
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    }
    await page.getByRole('checkbox', { name: `Select ${nas}` }).check()
    await page.getByRole('searchbox').fill('zone:homing.test color:red')
    await page.getByText(/is not a filter/).waitFor()
    await button(page, `Actions for ${nas}`).click()
    await look('selection')
    await page.goto(`/#domain/${nas}?tab=propagation`)
    await page.getByText(/^Both name servers answer/).waitFor()
    await look('propagation')
    expect(findings).toEqual([])
    await watched.close()
  })

  test('everything can be reached with the keyboard', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/login')
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement
        return at?.getAttribute('aria-label') ?? at?.textContent ?? ''
      })
    /** Presses Tab until the element with this name has the focus. */
    async function tabTo(name: string): Promise<void> {
      for (let steps = 0; steps < 40; steps += 1) {
        if ((await focused()) === name) return
        await press('Tab')
      }
      throw new Error(`Tab never reaches ${name}; it is at ${await focused()}`)
    }
    await untilFocused(page.getByLabel('Username or email'))
    await page.keyboard.type('bob')
    await press('Tab')
    await page.keyboard.type(bob.password)
    await press('Enter')
    await page.getByText('Welcome, bob').waitFor()
    await expect.poll(focused).toBe('Dashboard')

    await page.reload()
    await page.getByText('Welcome, bob').waitFor()
    await press('Tab')
    expect(await focused()).toBe('Skip to content')
    await press('Enter')
    await tabTo('Add Domain')
    await press('Enter')
    await untilFocused(dialog(page).getByLabel('Subdomain'))
    await page.keyboard.type('by-keyboard')
    watched.expectStatus(/\/update-token$/, 404)
    await press('Enter')
    await dialog(page).getByText('Waiting for the first update…').waitFor()
    await press('Escape')
    await rowOf(page, 'by-keyboard.homing.test').waitFor()
    await expect.poll(focused).toBe('Add Domain')

    await tabTo('Update by-keyboard.homing.test')
    await press('Enter')
    await untilFocused(dialog(page).getByLabel('IPv4 address'))
    await page.keyboard.type('192.0.2.77')
    await press('Enter')
    await world().served('by-keyboard.homing.test', '192.0.2.77')
    await expect.poll(focused).toBe('Update by-keyboard.homing.test')

    await tabTo('Actions for by-keyboard.homing.test')
    await press('Enter')
    await untilFocused(page.getByRole('menuitem', { name: 'Edit Address' }))
    await press('x')
    await dialog(page).waitFor()
    await tabTo('Delete')
    await press('Enter')
    await rowOf(page, 'by-keyboard.homing.test').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Domains')
    await watched.close()
  })

  test('the colour scheme can be chosen, is kept, and applies before the first paint', async () => {
    const watched = await world().openFor(bob, { colorScheme: 'light' })
    const { page } = watched
    const isDark = () => page.evaluate(() => document.documentElement.hasAttribute('data-dark'))
    expect(await isDark()).toBe(false)
    await button(page, /^Colours: system setting/).click()
    await button(page, /^Colours: light/).click()
    await button(page, /^Colours: dark/).waitFor()
    expect(await isDark()).toBe(true)
    await page.route('**/assets/index-*.js', (route) => route.abort())
    watched.expectStatus(/^\/assets\//, 0)
    await page.reload({ waitUntil: 'domcontentloaded' })
    expect(await isDark()).toBe(true)
    await watched.close()
  })

  test('reduced motion stops animations, and forced colours keep the borders', async () => {
    const watched = await world().openFor(bob, { reducedMotion: 'reduce', forcedColors: 'active' })
    const { page } = watched
    await button(page, 'Add Domain').click()
    await dialog(page).waitFor()
    const slow = await page.evaluate(
      () =>
        document.getAnimations().filter((a) => Number(a.effect?.getTiming().duration ?? 0) > 1)
          .length,
    )
    expect(slow).toBe(0)
    await picture(page, 'forced-colours')
    await watched.close()
  })
})
