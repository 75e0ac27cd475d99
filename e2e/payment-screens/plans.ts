/// <reference lib="dom" />
/** Plans in the back office: the effects of a change are shown, the change is saved, and DNS follows. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { addNames, registerAccount } from '../support/accounts.ts'
import { accessibilityFindings, atRest } from '../support/axe.ts'
import { DESKTOP, PHONE, type WatchedPage } from '../support/browser.ts'
import { button, dialog, picture } from '../support/dashboard.ts'
import { ask } from '../support/dns.ts'
import { heading, link, rowOf, rows, useOfficeOf } from '../support/back-office.ts'
import { eventually, type Service } from '../support/stack.ts'

/** @param service one whose plans no later test needs as they were */
export function testPlans(service: () => Service): void {
  describe('plans in the back office', needs('chromium'), () => {
    const office = useOfficeOf(service)

    const answerOf = async (name: string) => {
      const { rcode, answers } = await ask(office().stack.dnsPort, name, 'A')
      const [first] = answers
      return first !== undefined && 'ttl' in first ? first.ttl : rcode
    }
    const answers = (name: string, expected: number | string) =>
      eventually(
        () => answerOf(name),
        (answer) => answer === expected,
      )

    describe.each([
      ['1280', { viewport: DESKTOP, colorScheme: 'light' }],
      ['390', { viewport: PHONE, colorScheme: 'dark', hasTouch: true, isMobile: true }],
    ] as const)('at %s pixels', (width, options) => {
      const [OLD, NEW] = [`old-of-${width}.homing.test`, `new-of-${width}.homing.test`]
      let watched: WatchedPage
      let page: Page

      /** Checks that hold on every page: axe finds nothing, and nothing is cut off. */
      async function look(where: string): Promise<void> {
        await atRest(page)
        await picture(page, `admin-${where}-${width}`)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([where, overflow, await accessibilityFindings(page)]).toEqual([where, 0, []])
      }

      beforeAll(async () => {
        const params = { path: { id: 'free' } } as const
        const body = { domain_limit: 5, ttl: 3600 }
        await office().boss.api.PUT('/api/admin/plans/{id}', { params, body })
        const carol = await registerAccount(office().stack, `carol${width}`)
        await addNames(carol, [OLD])
        await addNames(carol, [NEW])
        watched = await office().openFor(office().boss, '/admin/plans', options)
        page = watched.page
      })
      afterAll(() => watched.close())

      test('the list shows what each plan includes', async () => {
        await expect.poll(() => rows(page).count()).toBe(5)
        const text = await rowOf(page, 'Pro').textContent()
        for (const part of ['100', '60 seconds', 'Wildcards']) expect(text).toContain(part)
        await look('plans')
        await link(page, 'Free').click()
        await heading(page, 'Free').waitFor()
        await page.getByText('all up to date').waitFor()
        await look('plan')
      })

      test('the effects of a change are shown before it is saved, and DNS follows', async () => {
        await answers(NEW, 3600)
        await page.getByLabel('Domain limit').fill('1')
        await page.getByLabel('TTL in seconds').fill('600')
        await button(page, 'Save').click()
        const text = () => dialog(page).textContent()
        await expect.poll(text).toContain('Change the plan Free?')
        for (const part of [
          'The domain limit changes from 5 to 1.',
          'The TTL changes from 60 minutes to 10 minutes',
          'will be withheld from DNS, the newest of each account first',
        ]) {
          expect(await text()).toContain(part)
        }
        await look('plan-change')
        await button(page, 'Cancel').click()
        await dialog(page).waitFor({ state: 'detached' })
        expect(await answerOf(NEW)).toBe(3600)

        await button(page, 'Save').click()
        await button(page, 'Change plan').click()
        await page.getByText('Saved.').waitFor()
        await answers(NEW, 'NXDOMAIN')
        await answers(OLD, 600)
        await page.getByText('all up to date').waitFor()
      })

      test('invalid values are reported at their field', async () => {
        const ttl = page.getByLabel('TTL in seconds')
        for (const [typed, told] of [
          ['0', 'Must be at least 1'],
          ['604801', 'Must be 604800 or less'],
          ['an hour', 'Must be a whole number'],
          ['', 'Required'],
        ] as const) {
          await ttl.fill(typed)
          await button(page, 'Save').click()
          await page.locator('form').getByText(told).waitFor()
        }
        expect(await dialog(page).count()).toBe(0)
      })

      test('another administrator’s change is not overwritten', async () => {
        const params = { path: { id: 'free' } } as const
        const { boss } = office()
        const other = await boss.api.PUT('/api/admin/plans/{id}', { params, body: { ttl: 3600 } })
        expect(other.response.status).toBe(200)
        watched.expectStatus('/api/admin/plans/free', 412)
        await page.getByLabel('TTL in seconds').fill('700')
        await button(page, 'Save').click()
        await button(page, 'Change plan').click()
        await page.getByText('Another administrator changed the plan in the meantime.').waitFor()
        expect(await page.getByLabel('TTL in seconds').inputValue()).toBe('700')
        expect((await boss.api.GET('/api/admin/plans/{id}', { params })).data?.ttl).toBe(3600)

        await boss.api.PUT('/api/admin/plans/{id}', { params, body: { domain_limit: 5 } })
        await answers(NEW, 3600)
        await page.reload()
        await expect.poll(() => page.getByLabel('Domain limit').inputValue()).toBe('5')
      })

      test('a feature can be removed and added', async () => {
        // A fresh or saved record resets the form right after it is drawn, and an edit made before that is lost.
        const isReset = () => page.getByText('No changes').waitFor()
        await page.goto('/admin/plans/elite')
        await page.getByText('all up to date').waitFor()
        await page.getByLabel('Data export').uncheck()
        await button(page, 'Save').click()
        await expect
          .poll(() => dialog(page).textContent())
          .toContain('No longer allowed: Data export.')
        await button(page, 'Change plan').click()
        await isReset()
        await page.getByLabel('Data export').check()
        await button(page, 'Save').click()
        await button(page, 'Change plan').click()
        await isReset()
      })

      test('the plan of closed accounts cannot be changed', async () => {
        await page.goto('/admin/plans/disabled')
        await page.getByText('cannot be changed').waitFor()
        expect(await button(page, 'Save').count()).toBe(0)
      })
    })
  })
}
