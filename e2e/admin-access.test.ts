/// <reference lib="dom" />
/** Accessibility of the back office: axe in both colour schemes, keyboard, a width of 320 pixels. */
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings, DESKTOP, findingsInBothSchemes, PHONE } from './support/browser.ts'
import { button, dialog, picture, untilFocused } from './support/dashboard.ts'
import { fillSignIn, heading, link, rows, useOffice } from './support/back-office.ts'

describe('the back office', needs('chromium'), () => {
  const office = useOffice()
  let carol: Account
  beforeAll(async () => {
    carol = await registerAccount(office().stack, 'carol')
    await addNames(carol, ['home.homing.test', 'nas.homing.test'])
    await office().changePlan(carol, 'elite')
  })

  test.each([DESKTOP, PHONE])('axe finds nothing in both schemes at %o', async (viewport) => {
    const watched = await office().open({ viewport })
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      const found = await findingsInBothSchemes(page, (scheme) =>
        picture(page, `admin-${where}-${scheme}-${viewport.width}`),
      )
      findings.push(...found.map((finding) => `${where}: ${finding}`))
    }
    await page.goto('/admin')
    await heading(page, 'Sign in to the back office').waitFor()
    await look('sign-in')
    await fillSignIn(page, office().boss)
    await rows(page).first().waitFor()
    await look('users')
    await link(page, 'carol').click()
    await heading(page, 'carol').waitFor()
    await look('user')
    await page.getByLabel('Plan').selectOption('free')
    await button(page, 'Save').click()
    await dialog(page).waitFor()
    await look('plan-question')
    await button(page, 'Cancel').click()
    await page.getByLabel('Plan').selectOption('elite')
    await page.goto('/admin/domains')
    await rows(page).first().waitFor()
    await look('domains')
    await rows(page).first().getByRole('link').first().click()
    await button(page, 'Lock').waitFor()
    await look('domain')
    expect(findings).toEqual([])
    await watched.close()
  })

  test('axe finds nothing on empty and missing pages', async () => {
    const watched = await office().openFor(office().boss, '/admin/users')
    const { page } = watched
    watched.expectStatus(/^\/api\/admin\//, 404)
    for (const [where, path, title] of [
      ['nothing', `/admin/users?filter=${JSON.stringify({ q: 'nobody at all' })}`, 'Users'],
      ['missing', '/admin/users/999999', 'Not found'],
      ['nowhere', '/admin/nowhere', 'Page not found'],
    ] as const) {
      await page.goto(path)
      await heading(page, title).waitFor()
      await picture(page, `admin-${where}`)
      expect([where, await accessibilityFindings(page)]).toEqual([where, []])
    }
    await watched.close()
  })

  test('an account can be changed with the keyboard only', async () => {
    const watched = await office().open()
    const { page } = watched
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement
        const label = at instanceof HTMLInputElement ? at.labels?.[0] : at
        return at?.getAttribute('aria-label') ?? label?.textContent ?? ''
      })
    /** Presses Tab until the element with this name has the focus. */
    async function tabTo(name: string): Promise<void> {
      for (let steps = 0; steps < 60; steps += 1) {
        if ((await focused()) === name) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab never reaches ${name}; it is at ${await focused()}`)
    }
    await page.goto('/admin/users')
    await untilFocused(page.getByLabel('Username or email'))
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(office().boss.password)
    await page.keyboard.press('Enter')
    await rows(page).first().waitFor()

    await page.reload()
    await rows(page).first().waitFor()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await tabTo('carol')
    await page.keyboard.press('Enter')
    await heading(page, 'carol').waitFor()
    await expect.poll(focused).toBe('carol')
    await tabTo('Given name')
    await page.keyboard.type('Carol')
    await tabTo('Save')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => page.getByLabel('Given name').inputValue()).toBe('Carol')
    await watched.close()
  })

  test('nothing is cut off at 320 pixels', async () => {
    const viewport = { width: 320, height: 640 }
    const watched = await office().openFor(office().boss, '/admin/users', { viewport })
    const { page } = watched
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    await rows(page).first().waitFor()
    expect(await overflow()).toBe(0)
    await page.goto('/admin/domains')
    await rows(page).first().waitFor()
    await picture(page, 'admin-domains-320')
    expect(await overflow()).toBe(0)
    await rows(page).first().getByRole('link').first().click()
    await button(page, 'Lock').waitFor()
    expect(await overflow()).toBe(0)
    await watched.close()
  })
})
