/// <reference lib="dom" />
/** The forms with everything that the service can require in addition to a password: a CAPTCHA, a code, a passkey. */
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, signInAdministrator } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import { buildScreen, launchBrowser, PHONE } from './support/browser.ts'
import { button, fillSignUp, passwordField, picture, useDashboard } from './support/dashboard.ts'
import { rows } from './support/back-office.ts'
import { PasskeyPage, PHONE_KEY, withoutAutofill } from './support/passkey-page.ts'

const PERIOD_MS = 30_000
/** A host name of the service to which browsers give no secure context over HTTP, unlike addresses of loopback. */
const PLAIN_HOST = 'homing.example'

describe('signing in', needs('chromium'), () => {
  const world = useDashboard({
    CAPTCHA_PROVIDER: 'altcha',
    RATE_LIMITS: 'on',
    ALLOWED_HOSTS: PLAIN_HOST,
  })
  let admin: Account
  let totp: TOTP
  let recoveryCodes: readonly string[] = []

  beforeAll(async () => {
    buildScreen('admin')
    admin = await signInAdministrator(world().stack)
  })

  async function fill(page: Page, password: string): Promise<void> {
    await page.getByLabel('Username or email').fill(admin.username)
    await passwordField(page).fill(password)
    await passwordField(page).press('Enter')
  }
  const arrived = (page: Page) => page.waitForURL('**/admin/**')

  test('accepts six digits, which submit themselves', async () => {
    const setup = await admin.api.POST('/api/me/totp')
    totp = new TOTP({ secret: setup.data?.secret ?? '' })
    const code = totp.generate()
    const on = await admin.api.POST('/api/me/totp/confirm', { body: { code } })
    recoveryCodes = on.data?.recovery_codes ?? []
    expect(recoveryCodes).toHaveLength(10)

    const watched = await world().open({ viewport: PHONE })
    const { page } = watched
    watched.expectStatus('/api/login/second-factor', 401)
    await page.goto('/#login')
    await fill(page, admin.password)
    const field = page.getByLabel('Authenticator code')
    await field.waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await picture(page, 'sign-in-code-phone')
    await field.pressSequentially('000000')
    await page.getByRole('alert').waitFor()
    await picture(page, 'sign-in-code-wrong-phone')
    // Each code is accepted once, so this is the next one. Both are valid for at least one period.
    await field.pressSequentially(totp.generate({ timestamp: Date.now() + PERIOD_MS }))
    await arrived(page)
    await watched.close()
  })

  test('accepts a recovery code instead, but not a used one', async () => {
    const [code = ''] = recoveryCodes
    for (const isFirst of [true, false]) {
      const watched = await world().open()
      const { page } = watched
      watched.expectStatus('/api/login/second-factor', 401)
      await page.goto('/#login')
      await fill(page, admin.password)
      await button(page, 'Use a recovery code').click()
      await page.getByLabel('Recovery code').fill(code)
      await page.getByLabel('Recovery code').press('Enter')
      const outcome = isFirst ? arrived(page) : page.getByRole('alert').waitFor()
      await expect(outcome).resolves.not.toThrow()
      await watched.close()
    }
  })

  test('accepts a passkey, as the second step and alone', async () => {
    const watched = await world().open({
      baseURL: world().stack.url.replace('127.0.0.1', 'localhost'),
      isFresh: true,
    })
    const { page } = watched
    // The back office sends this request after its session has ended.
    watched.expectStatus('/api/me', 401)
    await withoutAutofill(page)
    await page.goto('/#login')
    const ceremony = await PasskeyPage.of(page, PHONE_KEY)
    await fill(page, admin.password)
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[2] ?? '')
    await button(page, 'Sign In').click()
    await arrived(page)
    expect((await ceremony.add('laptop')).status).toBe(201)

    for (const isAlone of [true, false]) {
      // Wait for the first list: a pending request of the back office would get a 401.
      await rows(page).first().waitFor()
      await page.waitForLoadState('networkidle')
      await ceremony.call('POST', '/api/logout')
      await page.evaluate(() => localStorage.clear())
      await page.goto('/#login')
      if (isAlone) await button(page, 'Sign in with a passkey').click()
      else {
        await fill(page, admin.password)
        await button(page, 'Use a passkey').click()
      }
      await arrived(page)
    }
    await watched.close()
  })

  test('goes back to the password on request', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/#login')
    await fill(page, admin.password)
    await button(page, 'Start again').click()
    await passwordField(page).waitFor()
    expect(await passwordField(page).inputValue()).toBe('')
    await watched.close()
  })

  test('after failures solves the CAPTCHA by itself, and keeps the typed text', async () => {
    const watched = await world().open()
    const { page } = watched
    watched.expectStatus('/api/login', 401)
    await page.goto('/#login')
    for (const wrong of ['one wrong', 'two wrong', 'three wrong']) {
      // The alert of the previous attempt is still shown.
      const answered = page.waitForResponse('**/api/login')
      await fill(page, wrong)
      await answered
      await page.getByRole('alert').filter({ hasText: 'Invalid username/email' }).waitFor()
      await button(page, 'Sign In').waitFor()
    }
    await fill(page, admin.password)
    await page.getByText('You are not a robot.').waitFor()
    await picture(page, 'sign-in-captcha')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await passwordField(page).inputValue()).toBe(admin.password)
    await button(page, 'Sign In with CAPTCHA').click()
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
    await button(page, 'Sign In').click()
    await arrived(page)
    await watched.close()
  })

  test('signing up over plain HTTP solves the CAPTCHA without the Web Crypto API', async () => {
    const { url } = world().stack
    const browser = await launchBrowser(`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`)
    try {
      // Chromium logs that it ignores a security header on such pages, which would count as a fault of a watched page.
      const page = await browser.newPage({ baseURL: url.replace('127.0.0.1', PLAIN_HOST) })
      await page.goto('/#register')
      expect(await page.evaluate(() => isSecureContext)).toBe(false)
      await fillSignUp(page, 'zoe')
      await page.getByText('You are not a robot.').waitFor({ timeout: 60_000 })
      await button(page, 'Sign Up').click()
      await page.getByRole('heading', { level: 1, name: 'Check Your Email' }).waitFor()
    } finally {
      await browser.close()
    }
  })
})
