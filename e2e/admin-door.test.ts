/// <reference lib="dom" />
/** Access to the back office, and the state of its lists in the URL. */
import { describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import { button, dialog, picture } from './support/dashboard.ts'
import {
  fillSignIn,
  filterOf,
  heading,
  link,
  rows,
  useSharedOffice,
} from './support/back-office.ts'
import { PasskeyPage, PHONE_KEY } from './support/passkey-page.ts'
import { embeddedUrl, forgetLastConfirmation } from './support/tables.ts'

describe('the back office', needs('chromium'), () => {
  const office = useSharedOffice()

  describe('the sign-in page', () => {
    test('has labels, shows errors, keeps the user name, and leads to the requested page', async () => {
      const watched = await office().open()
      const { page } = watched
      await page.goto('/admin/domains?user_id=1')
      const name = page.getByLabel('Username or email')
      await expect.poll(() => page.title()).toBe('Sign in · Homing back office')
      expect(await name.getAttribute('autocomplete')).toBe('username')
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe(
        'current-password',
      )
      watched.expectStatus('/api/login', 401)
      await fillSignIn(page, { username: 'admin', password: 'not the password' })
      await expect
        .poll(() => page.getByRole('alert').first().textContent())
        .toContain('Invalid username/email or password')
      expect(await name.inputValue()).toBe('admin')
      await picture(page, 'admin-sign-in-wrong')

      await fillSignIn(page, office().boss)
      await heading(page, 'Domains').waitFor()
      expect(filterOf(page)).toEqual({ user_id: '1' })
      await watched.close()
    })

    test('tells other users that it is for administrators, and keeps them signed in for the dashboard', async () => {
      const erin = await registerAccount(office().stack, 'erin')
      const watched = await office().open()
      const { page } = watched
      await page.goto('/admin/users')
      await fillSignIn(page, erin)
      const notice = page.getByText('You are signed in as erin, who is not an administrator.')
      await notice.waitFor()
      await picture(page, 'admin-wrong-door')
      await page.goto('/admin/domains')
      await notice.waitFor()
      expect(await heading(page, 'Domains').count()).toBe(0)
      expect((await page.context().cookies()).map(({ httpOnly }) => httpOnly)).toEqual([true])
      await link(page, 'the dashboard').click()
      await page.getByText('Welcome, erin').waitFor()
      await watched.close()
    })

    test('Logout ends the session, and the way back shows nothing', async () => {
      const watched = await office().openFor(office().boss, '/admin/users')
      const { page } = watched
      // Wait for the list: a pending request would get a 401.
      await rows(page).first().waitFor()
      await button(page, 'Logout').click()
      await heading(page, 'Sign in to the back office').waitFor()
      expect(await page.context().cookies()).toEqual([])
      await page.goBack()
      await heading(page, 'Sign in to the back office').waitFor()
      expect(await page.getByRole('table').count()).toBe(0)
      await watched.close()
    })

    test('the administrator role is granted only after confirmation of identity', async () => {
      const heidi = await registerAccount(office().stack, 'heidi')
      await office().changePlan(heidi, 'admin')
      const mallory = await registerAccount(office().stack, 'mallory')
      const { id } = await office().accountOf(mallory)
      const watched = await office().openFor(heidi, `/admin/users/${id}`)
      const { page } = watched
      await forgetLastConfirmation(embeddedUrl(office().stack.dataDir), heidi.username)
      watched.expectStatus(/^\/api\//, 403)
      const give = async () => {
        await page.getByLabel('Plan').selectOption('admin')
        await button(page, 'Save').click()
        // First the confirmation of the plan change.
        await dialog(page).getByRole('button', { name: 'Change' }).click()
      }
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await give()
      await proof.getByLabel('Password', { exact: true }).waitFor()
      await picture(page, 'admin-fresh-proof')
      expect(await accessibilityFindings(page)).toEqual([])
      await proof.getByRole('button', { name: 'Cancel' }).click()
      await proof.waitFor({ state: 'detached' })
      expect((await office().accountOf(mallory)).account_type).toBe('free')

      await give()
      watched.expectStatus('/api/me/confirm', 422)
      await proof.getByLabel('Password', { exact: true }).fill('not the password')
      await proof.getByRole('button', { name: 'Confirm' }).click()
      await proof.getByRole('alert').getByText(/./).first().waitFor()
      await proof.getByLabel('Password', { exact: true }).fill(heidi.password)
      await proof.getByRole('button', { name: 'Confirm' }).click()
      await expect.poll(async () => (await office().accountOf(mallory)).account_type).toBe('admin')
      await watched.close()
    })

    test('a passkey confirms the identity', async () => {
      const frank = await registerAccount(office().stack, 'frank')
      await office().changePlan(frank, 'admin')
      const grace = await registerAccount(office().stack, 'grace')
      const { id } = await office().accountOf(grace)
      // Passkeys belong to this host name.
      const baseURL = office().stack.url.replace('127.0.0.1', 'localhost')
      const watched = await office().openFor(frank, `/admin/users/${id}`, {
        baseURL,
        isFresh: true,
      })
      const { page } = watched
      const at = await PasskeyPage.of(page, PHONE_KEY)
      expect((await at.add('phone')).status).toBe(201)
      await forgetLastConfirmation(embeddedUrl(office().stack.dataDir), frank.username)
      watched.expectStatus(/^\/api\//, 403)
      await page.getByLabel('Plan').selectOption('admin')
      await button(page, 'Save').click()
      await dialog(page).getByRole('button', { name: 'Change' }).click()
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await proof.getByRole('button', { name: 'Use a passkey' }).waitFor()
      await picture(page, 'admin-fresh-proof-passkey')
      expect(await accessibilityFindings(page)).toEqual([])
      await proof.getByRole('button', { name: 'Use a passkey' }).click()
      await expect.poll(async () => (await office().accountOf(grace)).account_type).toBe('admin')
      await watched.close()
    })

    test('after the role is revoked, the next request ends access on every page', async () => {
      const dave = await registerAccount(office().stack, 'dave')
      await office().changePlan(dave, 'admin')
      const watched = await office().openFor(dave, '/admin/users')
      const { page } = watched
      // Wait for the list: a pending request would end access before the next step.
      await rows(page).first().waitFor()
      watched.expectStatus(/^\/api\//, 401)
      await office().changePlan(dave, 'free')
      await link(page, 'Domains').click()
      await heading(page, 'Sign in to the back office').waitFor()
      await fillSignIn(page, dave)
      await page.getByText('You are signed in as dave').waitFor()
      expect(await page.getByRole('table').count()).toBe(0)
      await watched.close()
    })

    test('scripts see no secret', async () => {
      const watched = await office().open()
      const { page } = watched
      await page.goto('/admin/users')
      await fillSignIn(page, office().boss)
      await rows(page).first().waitFor()
      const seen = await page.evaluate(() => ({
        stored: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
        cookie: document.cookie,
      }))
      expect(seen.cookie).toBe('')
      expect(seen.stored).not.toContain(office().boss.password)
      await watched.close()
    })
  })

  describe('lists', () => {
    test('keep sort order and page in the URL', async () => {
      const lister = await registerAccount(office().stack, 'lister')
      await office().changePlan(lister, 'elite')
      const label = (n: number) => `listed${String(n).padStart(2, '0')}.homing.test`
      await addNames(
        lister,
        Array.from({ length: 30 }, (_, n) => label(n)),
      )
      const watched = await office().openFor(
        office().boss,
        `/admin/domains?filter=${JSON.stringify({ q: 'listed' })}`,
      )
      const { page } = watched
      const first = () => rows(page).first().getByRole('link').first().textContent()
      await button(page, 'Domain').click()
      await expect.poll(first).toBe(label(0))
      const head = page.getByRole('columnheader', { name: 'Domain' })
      await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
      await expect.poll(() => page.locator('.pager-place').textContent()).toBe('1–25 of 30')
      await button(page, 'Next').click()
      await expect.poll(() => page.locator('.pager-place').textContent()).toBe('26–30 of 30')
      expect(new URL(page.url()).searchParams.get('page')).toBe('2')
      await page.reload()
      await expect.poll(first).toBe(label(25))
      await page.goBack()
      await expect.poll(first).toBe(label(0))
      await picture(page, 'admin-domains-sorted')

      watched.expectStatus('/api/admin/domains', 416)
      await page.goto('/admin/domains?page=900')
      await expect.poll(() => page.locator('.pager-place').textContent()).toMatch(/^1–25 of/)
      await watched.close()
    })

    test('show the request id when the service fails, and can retry', async () => {
      const watched = await office().openFor(office().boss, '/admin/users')
      const { page } = watched
      await rows(page).first().waitFor()
      watched.expectStatus('/api/admin/users', 500)
      await page.route('**/api/admin/users?*', (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({ detail: 'Something went wrong on our side.', requestId: 'r-17' }),
        }),
      )
      await page.reload()
      const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' })
      await alert.waitFor()
      expect(await alert.textContent()).toContain('r-17')
      await picture(page, 'admin-list-failed')
      await page.unroute('**/api/admin/users?*')
      await button(page, 'Retry').click()
      await rows(page).first().waitFor()
      await watched.close()
    })
  })
})
