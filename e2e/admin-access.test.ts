/// <reference lib="dom" />
/** Accessibility of the back office: axe in both colour schemes, keyboard, a width of 320 pixels. */
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings, findingsInBothSchemes } from './support/axe.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { button, dialog, picture, untilFocused } from './support/dashboard.ts'
import { fillSignIn, heading, link, rows, useSharedOffice } from './support/back-office.ts'

/** The list of this file's accounts and domains: other files have theirs. */
const OF_CARLA = `?filter=${JSON.stringify({ q: 'carla' })}`

describe('the back office', needs('chromium'), () => {
  const office = useSharedOffice()
  let carla: Account
  beforeAll(async () => {
    carla = await registerAccount(office().stack, 'carla')
    await addNames(carla, ['home-of-carla.homing.test', 'nas-of-carla.homing.test'])
    await office().changePlan(carla, 'elite')
    const { data: domains = [] } = await carla.api.GET('/api/domains')
    for (const { id } of domains) {
      const target_url = `https://shop.example.com/a/long/path/to/the/goods/of/carla/${id}`
      await carla.api.POST('/api/webforward', { body: { domain_id: id, target_url } })
      const params = { path: { id } }
      await carla.api.PUT('/api/uptime/domain/{id}', { params, body: { kind: 'dns' } })
      await carla.api.POST('/api/uptime/domain/{id}/monitor', { params, body: { enable: true } })
    }
    const { data: forwards = [] } = await office().boss.api.GET('/api/admin/web-forwards', {
      params: { query: { filter: JSON.stringify({ q: 'nas-of-carla' }) } },
    })
    const disabled = { is_disabled: true, reason: 'The target imitates a bank.' }
    await office().boss.api.PUT('/api/admin/web-forwards/{id}', {
      params: { path: { id: forwards[0]?.id ?? '' } },
      body: disabled,
    })
  })

  test('axe finds nothing in both schemes at either width', async () => {
    const watched = await office().open()
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      const found = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
        picture(page, `admin-${where}-${scheme}-${width}`),
      )
      findings.push(...found.map((finding) => `${where}: ${finding}`))
    }
    await page.goto('/admin')
    await heading(page, 'Sign in to the back office').waitFor()
    await look('sign-in')
    await fillSignIn(page, office().boss)
    await page.getByLabel('Search name or email').fill('carla')
    await expect.poll(() => rows(page).count()).toBe(1)
    await look('users')
    await link(page, 'carla').click()
    await heading(page, 'carla').waitFor()
    await look('user')
    await page.getByLabel('Plan').selectOption('free')
    await button(page, 'Save').click()
    await dialog(page).waitFor()
    await look('plan-question')
    await button(page, 'Cancel').click()
    await page.getByLabel('Plan').selectOption('elite')
    await page.goto(`/admin/domains${OF_CARLA}`)
    await rows(page).first().waitFor()
    await look('domains')
    await rows(page).first().getByRole('link').first().click()
    await button(page, 'Lock').waitFor()
    await look('domain')
    await page.goto(`/admin/web-forwards${OF_CARLA}`)
    await expect.poll(() => rows(page).count()).toBe(2)
    await look('forwards')
    await button(page, 'Disable the web forward of home-of-carla.homing.test').click()
    await dialog(page).waitFor()
    await look('forward-question')
    await page.goto(`/admin/monitors${OF_CARLA}`)
    await expect.poll(() => link(page, 'home-of-carla.homing.test').count()).toBe(1)
    await button(page, 'Pause all monitors').waitFor()
    await look('monitors')
    await button(page, 'Pause all monitors').click()
    await dialog(page).waitFor()
    await look('pause-question')
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
    await page.goto(`/admin/users${OF_CARLA}`)
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
    await tabTo('carla')
    await page.keyboard.press('Enter')
    await heading(page, 'carla').waitFor()
    await expect.poll(focused).toBe('carla')
    await tabTo('Given name')
    await page.keyboard.type('Carla')
    await tabTo('Save')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => page.getByLabel('Given name').inputValue()).toBe('Carla')
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
    await page.goto(`/admin/domains${OF_CARLA}`)
    await rows(page).first().waitFor()
    await picture(page, 'admin-domains-320')
    expect(await overflow()).toBe(0)
    await rows(page).first().getByRole('link').first().click()
    await button(page, 'Lock').waitFor()
    expect(await overflow()).toBe(0)
    await page.goto(`/admin/web-forwards${OF_CARLA}`)
    await rows(page).first().waitFor()
    await picture(page, 'admin-forwards-320')
    expect(await overflow()).toBe(0)
    await watched.close()
  })
})
