/// <reference lib="dom" />
/** The back office in a real browser with the whole service: an administrator manages accounts and domains. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { DESKTOP, PHONE, type WatchedPage } from './support/browser.ts'
import { button, dialog, picture } from './support/dashboard.ts'
import { addressesOf, ask } from './support/dns.ts'
import { filterOf, heading, link, rowOf, rows, useSharedOffice } from './support/back-office.ts'
import { eventually } from './support/stack.ts'

describe('the back office', needs('chromium'), () => {
  const office = useSharedOffice()

  const ttlOf = async (name: string) => {
    const { answers } = await ask(office().stack.dnsPort, name, 'A')
    const [first] = answers
    return first !== undefined && 'ttl' in first ? first.ttl : undefined
  }

  describe.each([
    ['1280', { viewport: DESKTOP }],
    ['390', { viewport: PHONE, hasTouch: true, isMobile: true }],
  ])('at %s pixels', (width, options) => {
    const NAME = `home-of-carol${width}.homing.test`
    let carol: Account
    let watched: WatchedPage
    let page: Page

    beforeAll(async () => {
      carol = await registerAccount(office().stack, `carol${width}`)
      await addNames(carol, [NAME, `nas-of-carol${width}.homing.test`])
      watched = await office().openFor(office().boss, '/admin', options)
      page = watched.page
    })
    afterAll(() => watched.close())

    /** Follows a link of the navigation, which is behind a button on phones. */
    async function goTo(section: string): Promise<void> {
      if (options.viewport === PHONE) await button(page, 'Menu').click()
      await page
        .getByRole('navigation', { name: 'Sections' })
        .getByRole('link', { name: section })
        .click()
      await heading(page, section).waitFor()
    }

    test('the header shows the back office and the signed-in user', async () => {
      await heading(page, 'Users').waitFor()
      await page.getByText('ADMIN ACCESS').waitFor()
      expect(await page.locator('.header-user').textContent()).toBe('admin')
      expect(await page.title()).toBe('Users · Homing back office')
    })

    test('a user can be searched, and the URL holds the search', async () => {
      await page.getByLabel('Search name or email').fill(carol.username)
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(filterOf(page)).toEqual({ q: carol.username })
      await page.reload()
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(await page.getByLabel('Search name or email').inputValue()).toBe(carol.username)
      const row = rowOf(page, carol.username)
      for (const text of ['Free', 'Active', '2 of 5', `${carol.username}@mail.example`]) {
        await expect.poll(() => row.textContent()).toContain(text)
      }
      await picture(page, `admin-users-found-${width}`)
      await page.getByLabel('Plan').selectOption('elite')
      await page.getByText('No results match these filters.').waitFor()
      await page.goBack()
      await expect.poll(() => rows(page).count()).toBe(1)
    })

    test('a plan is changed after confirmation; limit, TTL and DNS follow', async () => {
      await eventually(
        () => ttlOf(NAME),
        (ttl) => ttl === 3600,
      )
      await link(page, carol.username).click()
      await heading(page, carol.username).waitFor()
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      await page.getByLabel('Plan').selectOption('pro')
      await button(page, 'Save').click()
      const text = () => dialog(page).textContent()
      await expect.poll(text).toContain(`Change ${carol.username} from Free to Pro?`)
      expect(await text()).toContain('The domain limit changes to 100. 2 domains are still served.')
      expect(await text()).toContain('The TTL changes from 60 minutes to 60 seconds.')
      await picture(page, `admin-plan-question-${width}`)
      await button(page, 'Cancel').click()
      await dialog(page).waitFor({ state: 'detached' })
      expect((await office().accountOf(carol)).account_type).toBe('free')

      await button(page, 'Save').click()
      await button(page, 'Change plan').click()
      await page.getByText('Saved.').waitFor()
      expect((await carol.api.GET('/api/me')).data).toMatchObject({
        account_type: 'pro',
        limits: { domain_limit: 100, ttl: 60 },
      })
      await eventually(
        () => ttlOf(NAME),
        (ttl) => ttl === 60,
      )
      await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    })

    test('errors appear at their field, and unsaved changes are not lost', async () => {
      const address = page.getByLabel('Email address')
      await address.fill('no address')
      await button(page, 'Save').click()
      await page.getByText('Must be a valid email').waitFor()
      watched.expectStatus(/^\/api\/admin\/users\//, 409)
      await address.fill((await office().accountOf(office().boss)).email)
      await button(page, 'Save').click()
      await page
        .locator('form')
        .getByText('Another account already has this email address.')
        .waitFor()
      await picture(page, `admin-user-refused-${width}`)
      await page.getByRole('main').getByRole('link', { name: 'Users', exact: true }).click()
      await expect.poll(() => dialog(page).textContent()).toContain('Leave without saving?')
      await button(page, 'Stay').click()
      await heading(page, carol.username).waitFor()
      await address.fill(`${carol.username}@mail.example`)
      await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true)
    })

    test('a user is suspended and reactivated, and so are the domains', async () => {
      await page.getByLabel('Can sign in, and domains are served').uncheck()
      await button(page, 'Save').click()
      await expect
        .poll(() => dialog(page).textContent())
        .toContain('2 domains will no longer be served.')
      await button(page, 'Suspend').click()
      await eventually(
        () => ask(office().stack.dnsPort, NAME, 'A'),
        ({ rcode }) => rcode === 'NXDOMAIN',
      )
      await page.getByText('Suspended').waitFor()
      await page.getByLabel('Can sign in, and domains are served').check()
      await button(page, 'Save').click()
      await button(page, 'Reactivate').click()
      await eventually(
        () => addressesOf(office().stack.dnsPort, NAME, 'A'),
        ([address]) => address === '192.0.2.1',
      )
    })

    test('administrators cannot revoke their own role', async () => {
      await page.goto(`/admin/users/${(await office().accountOf(office().boss)).id}`)
      const plan = page.getByLabel('Plan')
      await expect.poll(() => plan.isDisabled()).toBe(true)
      const described = await plan.getAttribute('aria-describedby')
      expect(await page.textContent(`[id="${described}"]`)).toContain('Only another administrator')
      expect(await page.getByLabel('Can sign in').isDisabled()).toBe(true)
    })

    test('a user’s domains are one click away, and the list can be filtered and sorted', async () => {
      await goTo('Users')
      await page.getByLabel('Search name or email').fill(carol.username)
      // A row that the search replaces would take the click with it.
      await expect.poll(() => rows(page).count()).toBe(1)
      await link(page, `2 of 100 domains of ${carol.username}`).click()
      await heading(page, 'Domains').waitFor()
      const { id } = await office().accountOf(carol)
      await expect.poll(() => filterOf(page)).toEqual({ user_id: id })
      await expect.poll(() => rows(page).count()).toBe(2)
      await page.getByText(`Owner: ${carol.username}`).waitFor()
      await picture(page, `admin-domains-of-${width}`)

      await page.getByLabel('Search domain or address').fill('nas')
      await expect.poll(() => rows(page).count()).toBe(1)
      await page.getByLabel('Search domain or address').fill('192.0.2.1')
      await expect.poll(() => rows(page).count()).toBe(2)
      await page.getByLabel('Type').selectOption('AAAA')
      await page.getByText('No results match these filters.').waitFor()
      await button(page, 'Clear filters').click()
      await page.getByLabel('Zone').selectOption('homing.test')
      await expect.poll(() => filterOf(page)).toEqual({ zone: 'homing.test' })
      await page.goto(`/admin/domains?user_id=${id}&sort=fqdn&order=ASC`)
      await expect.poll(() => rows(page).count()).toBe(2)
    })

    test('a locked domain leaves DNS, and returns when it is unlocked', async () => {
      await link(page, NAME).click()
      await heading(page, NAME).waitFor()
      await button(page, 'Lock').click()
      await expect.poll(() => dialog(page).textContent()).toContain(`Lock ${NAME}?`)
      await picture(page, `admin-lock-${width}`)
      await dialog(page).getByRole('button', { name: 'Lock' }).click()
      await page.getByText(`${NAME} is locked.`).waitFor()
      await eventually(
        () => ask(office().stack.dnsPort, NAME, 'A'),
        ({ rcode }) => rcode === 'NXDOMAIN',
      )
      await page.goto(`/admin/domains?filter=${JSON.stringify({ q: NAME })}`)
      await expect.poll(() => rowOf(page, NAME).textContent()).toContain('Locked')
      await page.getByRole('button', { name: /^Locked/ }).click()
      await expect.poll(() => filterOf(page)).toEqual({ q: NAME, status: 'locked' })
      await picture(page, `admin-domains-locked-${width}`)

      await link(page, NAME).click()
      await button(page, 'Unlock').click()
      await dialog(page).getByRole('button', { name: 'Unlock' }).click()
      await eventually(
        () => addressesOf(office().stack.dnsPort, NAME, 'A'),
        ([address]) => address === '192.0.2.1',
      )
    })

    test('a lock appears in the list of locked names and can be cleared there', async () => {
      await goTo('Domains')
      await page.goto(`/admin/domains?filter=${JSON.stringify({ q: NAME })}`)
      await link(page, NAME).click()
      await button(page, 'Lock').click()
      await dialog(page).getByRole('button', { name: 'Lock' }).click()
      await page.getByText(`${NAME} is locked.`).waitFor()

      await goTo('Locked names')
      await page.getByLabel('Search name').fill(NAME)
      // Without the filter, the list can have one row too.
      await expect.poll(() => filterOf(page)).toEqual({ q: NAME })
      await page.locator('.records[aria-busy="true"]').waitFor({ state: 'detached' })
      await expect.poll(() => rows(page).count()).toBe(1)
      for (const text of [carol.username, 'admin']) {
        expect(await rowOf(page, NAME).textContent()).toContain(text)
      }
      await picture(page, `admin-locked-names-${width}`)
      await button(page, `Clear the lock of ${NAME}`).click()
      expect(await dialog(page).textContent()).toContain('DNS serves the domain again')
      await dialog(page).getByRole('button', { name: 'Clear' }).click()
      await page.getByText(`The lock of ${NAME} was cleared.`).waitFor()
      await expect.poll(() => rows(page).count()).toBe(0)
      await eventually(
        () => addressesOf(office().stack.dnsPort, NAME, 'A'),
        ([address]) => address === '192.0.2.1',
      )
    })

    test('nothing is cut off', async () => {
      for (const path of [
        '/admin/users',
        '/admin/domains',
        '/admin/locked-names',
        '/admin/web-forwards',
        '/admin/monitors',
        `/admin/users/1`,
      ]) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.locator('.skeleton, .waiting').first().waitFor({ state: 'detached' })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([path, overflow]).toEqual([path, 0])
      }
    })
  })
})
