/// <reference lib="dom" />
/** The settings in Chromium on the real service: two factors, passkeys, the password, the deletion of the account. */
import { readFileSync } from 'node:fs'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signIn } from './support/accounts.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import {
  button,
  dialog,
  hashOf,
  passwordField,
  picture,
  signInAgain,
  signInTo,
  useSharedDashboard,
} from './support/dashboard.ts'
import { messagesTo } from './support/mailbox.ts'
import { PasskeyPage, PHONE_KEY, withoutAutofill } from './support/passkey-page.ts'
import { eventually } from './support/stack.ts'

const PERIOD_MS = 30_000

const SECTIONS = {
  profile: 'Profile Information',
  email: 'Email Address',
  keyboard: 'Keyboard Shortcuts',
  plan: 'Current Plan',
  password: 'Change Password',
  'two-factor': 'Two-Factor Authentication',
  passkeys: 'Passkeys',
  sessions: 'Sessions',
  activity: 'Recent Login Activity',
  export: 'Export Your Data',
  danger: 'Danger Zone',
} as const

type SectionId = keyof typeof SECTIONS

/** Opens a section by its URL, and waits for its content. */
async function openSection(page: Page, id: SectionId): Promise<void> {
  await page.goto(`/#settings/${id}`)
  await page.getByRole('heading', { level: 1, name: SECTIONS[id], exact: true }).waitFor()
  await page.locator('.settings-section .card').first().waitFor()
  await page.locator('.section-skeleton').waitFor({ state: 'detached' })
}

const logOut = async (page: Page) => {
  await button(page, 'Logout').click()
  // Logout leads to the landing page.
  await page.getByRole('link', { name: 'Login', exact: true }).first().click()
  await page.getByLabel('Username or email').waitFor()
}

async function fillPassword(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await passwordField(page).fill(password)
  await passwordField(page).press('Enter')
}

/** Confirms that the shown recovery codes are saved. @returns the codes */
async function takeCodes(page: Page): Promise<readonly string[]> {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  const codes = await page.locator('.recovery-codes li').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByLabel('I’ve saved these codes').check()
  await button(page, 'Done').click()
  return codes
}

describe('the settings', needs('chromium'), () => {
  const world = useSharedDashboard()

  test('an authenticator app is set up, is required to sign in, and a recovery code replaces it', async () => {
    const nora = await registerAccount(world().stack, 'nora')
    const watched = await world().openFor(nora)
    const { page } = watched
    await openSection(page, 'two-factor')
    await button(page, 'Set Up Authenticator App').click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    const secret = (await page.locator('.totp-secret code').textContent()) ?? ''
    const totp = new TOTP({ secret: secret.replaceAll(' ', '') })
    await page.getByLabel('Authenticator code').pressSequentially(totp.generate())
    const [code = ''] = await takeCodes(page)
    await page.getByText('You have 10 unused codes.').waitFor()

    await logOut(page)
    await fillPassword(page, nora)
    // Each code is accepted once, so this is the next one.
    const next = totp.generate({ timestamp: Date.now() + PERIOD_MS })
    await page.getByLabel('Authenticator code').pressSequentially(next)
    await page.getByText('Welcome, nora').waitFor()
    await logOut(page)
    await fillPassword(page, nora)
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByLabel('Recovery code').press('Enter')
    await page.getByText('Welcome, nora').waitFor()
    await openSection(page, 'two-factor')
    await page.getByText('You have 9 unused codes.').waitFor()

    await button(page, 'Turn Off').click()
    await dialog(page).getByRole('button', { name: 'Turn Off' }).click()
    await button(page, 'Set Up Authenticator App').waitFor()
    await logOut(page)
    await signInTo(page, nora)
    const { data: factors } = await (
      await signIn(world().stack, nora.username, nora.password)
    ).api.GET('/api/me/second-factors')
    expect(factors).toMatchObject({ is_on: false, recovery_codes_left: 0 })
    await watched.close()
  })

  test('a passkey is added, renamed and removed', async () => {
    const olga = await registerAccount(world().stack, 'olga')
    const baseURL = world().stack.url.replace('127.0.0.1', 'localhost')
    const watched = await world().open({ baseURL, isFresh: true })
    const { page } = watched
    await withoutAutofill(page)
    await page.goto('/login')
    await signInTo(page, olga)
    const ceremony = await PasskeyPage.of(page, PHONE_KEY)
    await openSection(page, 'passkeys')
    expect(await page.getByLabel('Name of the passkey').inputValue()).toBe('Chrome on Linux')
    await page.getByLabel('Name of the passkey').fill('phone')
    await button(page, 'Add Passkey').click()
    await takeCodes(page)
    expect(await ceremony.held()).toHaveLength(1)
    await button(page, 'Add Passkey').click()
    await page.getByText('This device already has a passkey for your account.').waitFor()

    await button(page, 'Rename phone').click()
    await dialog(page).getByLabel('Name of the passkey').fill('the phone')
    await dialog(page).getByRole('button', { name: 'Rename' }).click()
    await logOut(page)
    await button(page, 'Sign in with a passkey').click()
    await page.getByText('Welcome, olga').waitFor()
    await openSection(page, 'passkeys')
    await page.getByText('Last used just now').waitFor()
    await button(page, 'Remove the phone').click()
    await dialog(page).getByText('It is your only second factor.').waitFor()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You have no passkeys.').waitFor()
    await watched.close()
  })

  test('unsaved changes stay when the user cancels leaving by a link and by Back, and so does the history', async () => {
    const quentin = await registerAccount(world().stack, 'quentin')
    const watched = await world().openFor(quentin, { isFresh: true })
    const { page } = watched
    const question = (name: string) => page.getByRole('dialog', { name })
    const cancel = async (name: string) => {
      await question(name).getByRole('button', { name: 'Cancel' }).click()
      await question(name).waitFor({ state: 'detached' })
    }
    const DISCARD = 'Discard your changes?'
    await page.evaluate(() => (location.hash = 'webforward'))
    await page.getByRole('heading', { level: 1, name: 'Web Forwarding' }).waitFor()
    await page.evaluate(() => (location.hash = 'settings/profile'))
    const name = page.getByLabel('First name')
    await name.fill('Quentin')
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await cancel(DISCARD)
    await page.evaluate(() => history.back())
    await cancel(DISCARD)
    expect([hashOf(page), await name.inputValue()]).toEqual(['#settings/profile', 'Quentin'])
    await button(page, 'Update Profile').click()
    await page.getByText('Your profile was updated.').waitFor()
    // What is discarded is not saved, and the user gets to where they wanted to go, past other entries too.
    await name.fill('Discarded')
    await page.evaluate(() => history.go(-2))
    await question(DISCARD).getByRole('button', { name: 'Discard Changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.evaluate(() => history.go(2))
    await expect.poll(() => name.inputValue()).toBe('Quentin')
    await name.fill('Discarded')
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await cancel(DISCARD)
    await name.fill('Quentin')
    // The entries of the history are where they were.
    await page.evaluate(() => history.back())
    await page.getByRole('heading', { level: 1, name: 'Web Forwarding' }).waitFor()
    await watched.close()
  })

  test('a new password ends the other session, and is the one that signs in', async () => {
    const petra = await registerAccount(world().stack, 'petra')
    const elsewhere = await world().openFor(petra)
    const watched = await world().openFor(petra)
    const { page } = watched
    await openSection(page, 'password')
    const password = 'a better password of petra'
    await page.getByLabel('Current Password', { exact: true }).fill(petra.password)
    await page.getByLabel('New Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm New Password', { exact: true }).fill(password)
    elsewhere.expectStatus(/^\/api\//, 401)
    await page.keyboard.press('Control+s')
    await page.getByText('Your password was changed.').waitFor()
    await openSection(page, 'sessions')
    await page.getByText('You have no other sessions.').waitFor()

    await elsewhere.page.goto('/#settings/sessions')
    await signInAgain(elsewhere.page, password)
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    await page.reload()
    await page.getByText('This session').waitFor()
    expect(await button(page, /^Sign out Chrome on Linux/).count()).toBe(1)
    await button(page, /^Sign out Chrome on Linux/).click()
    await page.getByText('You have no other sessions.').waitFor()
    await elsewhere.close()
    await watched.close()
  })

  test('a change of the address mails both addresses', async () => {
    const rita = await registerAccount(world().stack, 'rita')
    const watched = await world().openFor(rita)
    const { page } = watched
    await openSection(page, 'email')
    await page.getByLabel('New email address').fill('rita.new@mail.example')
    await page.getByLabel('Current password', { exact: true }).fill(rita.password)
    await button(page, 'Send Links').click()
    await page.getByText('Please open the links that we mailed to').waitFor()
    const [mail] = await eventually(
      () => messagesTo(world().stack.dataDir, 'rita.new@mail.example'),
      (messages) => messages.length === 1,
    )
    expect(mail?.text).toContain('/#confirm-email/')
    await watched.close()
  })

  test('the export is a complete file', async () => {
    const susi = await registerAccount(world().stack, 'susi')
    const watched = await world().openFor(susi)
    const { page } = watched
    await openSection(page, 'export')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Export My Data').click(),
    ])
    const archive: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(archive).toMatchObject({ account: { username: 'susi' }, is_complete: true })
    await page.getByText('The export is complete').waitFor()
    await watched.close()
  })

  test('a deleted account is kept by signing in again', async () => {
    const tina = await registerAccount(world().stack, 'tina')
    await addNames(tina, ['tina.homing.test'])
    const watched = await world().openFor(tina)
    const { page } = watched
    await openSection(page, 'danger')
    await button(page, 'Delete Account').click()
    await dialog(page).getByLabel('Type your username').fill('tina')
    await dialog(page).getByLabel('Password', { exact: true }).fill(tina.password)
    await dialog(page).getByRole('button', { name: 'Delete Account' }).click()
    await page.getByText('Your account will be deleted on').waitFor()
    await signInTo(page, tina)
    await page.getByRole('rowheader', { name: 'tina.homing.test' }).waitFor()
    const { data: archive } = await (
      await signIn(world().stack, tina.username, tina.password)
    ).api.GET('/api/me/export')
    expect(archive?.account.deletion_due_at).toBeNull()
    await watched.close()
  })

  test('axe finds nothing in any section at either width', async () => {
    const una = await registerAccount(world().stack, 'una')
    const watched = await world().openFor(una)
    const { page } = watched
    const findings: string[] = []
    for (const id of Object.keys(SECTIONS) as SectionId[]) {
      await openSection(page, id)
      const found = await findingsInBothSchemes(page, [DESKTOP, PHONE], async (scheme, size) => {
        await picture(page, `settings-${id}-${scheme}-${size.width}`)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (overflow !== 0) findings.push(`${id} ${size.width}: ${overflow} pixels too wide`)
      })
      findings.push(...found.map((finding) => `${id}: ${finding}`))
    }
    expect(findings).toEqual([])
    await watched.close()
  })
})
