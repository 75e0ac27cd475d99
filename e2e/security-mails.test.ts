/// <reference lib="dom" />
/**
 * Mails about the security of an account in Chromium: the link of each leads to a screen that finishes what the mail is
 * for. A key, a pipeline or a token is found and removed there; somebody who did not do what the mail reports sets a new
 * password. The links of registration, reset, change of address and deletion are in accounts.test.ts.
 */
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import {
  type Account,
  addNames,
  registerAccount,
  signIn,
  signInAdministrator,
} from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import {
  button,
  chooseInMenu,
  dialog,
  rowOf,
  signInTo,
  useSharedDashboard,
} from './support/dashboard.ts'
import { linkOfMail } from './support/mail-links.ts'
import { messagesTo } from './support/mailbox.ts'
import { PasskeyPage, PHONE_KEY, withoutAutofill } from './support/passkey-page.ts'
import { eventually } from './support/stack.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe('the link of a mail', needs('chromium'), () => {
  const world = useSharedDashboard()
  /** The host of `PUBLIC_URL`, to which the links of mails lead. */
  const baseURL = () => world().stack.url.replace('127.0.0.1', 'localhost')
  const addressOf = ({ username }: Pick<Account, 'username'>) => `${username}@mail.example`
  const linkTo = (account: Account, subject: string) =>
    linkOfMail(world().stack.dataDir, addressOf(account), subject)

  /** Opens a link as a mail program does: in a new page. */
  async function follow(page: Page, url: string): Promise<void> {
    await page.goto('/privacy')
    await page.goto(url)
  }

  /** Somebody whose plan includes API keys. */
  async function proAccount(username: string): Promise<Account> {
    const account = await registerAccount(world().stack, username)
    const { data: me } = await account.api.GET('/api/me')
    const admin = await signInAdministrator(world().stack)
    const params = { path: { id: me?.id ?? '' } }
    await admin.api.PUT('/api/admin/users/{id}', { params, body: { account_type: 'pro' } })
    return account
  }

  /** Sets a new password where “This was not me” leads. @returns the new password */
  async function setPassword(page: Page, account: Account): Promise<string> {
    await heading(page, 'This was not me').waitFor()
    await page.getByLabel('Email').fill(addressOf(account))
    await button(page, 'Send Reset Link').click()
    await heading(page, 'Check Your Email').waitFor()
    await follow(page, await linkTo(account, 'Reset your password'))
    const password = `another word of ${account.username}`
    await page.getByLabel('New Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm New Password', { exact: true }).fill(password)
    await button(page, 'Reset Password').click()
    await heading(page, 'Password Reset Successful!').waitFor()
    return password
  }

  test('about an API key leads a visitor over the sign-in to the key, which is deleted there', async () => {
    const walda = await proAccount('walda')
    const { data: key } = await walda.api.POST('/api/api-keys/', { body: { name: 'robot' } })
    const watched = await world().open({ baseURL: baseURL() })
    const { page } = watched
    await follow(page, await linkTo(walda, 'A new API key'))
    await heading(page, 'Sign in').waitFor()
    await signInTo(page, walda)
    await heading(page, 'API Keys').waitFor()

    const params = { path: { id: key?.id ?? '' } }
    const { data: rotated } = await walda.api.POST('/api/api-keys/{id}/rotate', {
      params,
      body: {},
    })
    await follow(page, await linkTo(walda, 'An API key has a new secret'))
    expect(await accessibilityFindings(page)).toEqual([])
    await button(page, 'Delete robot').click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('API key deleted successfully').waitFor()
    for (const secret of [key?.key, rotated?.key]) {
      const headers = { authorization: `Bearer ${secret}` }
      expect((await fetch(new URL('/api/domains', baseURL()), { headers })).status).toBe(401)
    }
    await watched.close()
  })

  test('about a trusted pipeline or an update token leads to it, and it is deleted there', async () => {
    const yvo = await proAccount('yvo')
    await addNames(yvo, ['yvo.homing.test'])
    const body = { name: 'deploy', issuer: 'https://gitlab.com', subject: 'project_path:yvo/home' }
    await yvo.api.POST('/api/trust-policies/', { body })
    const { data: domains = [] } = await yvo.api.GET('/api/domains')
    const params = { path: { id: domains[0]?.id ?? '' } }
    await yvo.api.POST('/api/domains/{id}/update-token', { params, body: {} })
    const watched = await world().openFor(yvo, { baseURL: baseURL() })
    const { page } = watched
    await follow(page, await linkTo(yvo, 'A new trust policy'))
    await heading(page, 'Trusted Pipelines').waitFor()
    await button(page, 'Delete deploy').click()
    await dialog(page)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect.poll(async () => (await yvo.api.GET('/api/trust-policies/')).data).toEqual([])

    await yvo.api.POST('/api/domains/{id}/update-token', { params, body: { replace: true } })
    for (const subject of ['A new update token', 'An update token was replaced']) {
      await follow(page, await linkTo(yvo, subject))
      await rowOf(page, 'yvo.homing.test').waitFor()
    }
    await chooseInMenu(page, 'yvo.homing.test', 'How to Update')
    await dialog(page).getByRole('button', { name: 'Delete Token' }).click()
    watched.expectStatus(/\/update-token$/, 404)
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await expect
      .poll(
        async () =>
          (await yvo.api.GET('/api/domains/{id}/update-token', { params })).response.status,
      )
      .toBe(404)
    await watched.close()
  })

  test('about a strange sign-in sets a new password, and the stranger is out', async () => {
    const xenia = await registerAccount(world().stack, 'xenia')
    const answer = await fetch(new URL('/api/login', world().stack.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'stranger/1.0' },
      body: JSON.stringify({ username_or_email: xenia.username, password: xenia.password }),
    })
    const { token } = (await answer.json()) as { token: string }
    const watched = await world().open({ baseURL: baseURL() })
    const { page } = watched
    await follow(page, await linkTo(xenia, 'A new sign-in to your account'))
    expect(await accessibilityFindings(page)).toEqual([])
    const password = await setPassword(page, xenia)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(new URL('/api/me', baseURL()), { headers })).status).toBe(401)
    await page.getByRole('link', { name: 'Go to Login' }).click()
    await signInTo(page, { ...xenia, password })

    // The mail about the new password leads there, too, also in a browser that is signed in.
    await follow(page, await linkTo(xenia, 'Your password was changed'))
    await heading(page, 'This was not me').waitFor()
    await watched.close()
  })

  test('about second factors and passkeys sets a new password; the second factor stays', async () => {
    const zita = await registerAccount(world().stack, 'zita')
    const watched = await world().open({ baseURL: baseURL(), isFresh: true })
    const { page } = watched
    await withoutAutofill(page)
    await page.goto('/login')
    await signInTo(page, zita)
    const at = await PasskeyPage.of(page, PHONE_KEY)
    const added = await at.add<{ id: string }>('phone')
    const { body: setup } = await at.call<{ secret: string }>('POST', '/api/me/totp')
    const totp = new TOTP({ secret: setup.secret })
    await at.call('POST', '/api/me/totp/confirm', { code: totp.generate() })
    await at.call('POST', '/api/me/recovery-codes')
    await at.call('DELETE', `/api/me/passkeys/${added.body.id}`)
    for (const subject of [
      'A passkey was added to your account',
      'An authenticator app was added to your account',
      'You have new recovery codes',
      'A passkey was removed from your account',
    ]) {
      await follow(page, await linkTo(zita, subject))
      await heading(page, 'This was not me').waitFor()
      expect(await button(page, 'Send Reset Link').isEnabled()).toBe(true)
    }
    const password = await setPassword(page, zita)
    await expect(signIn(world().stack, zita.username, password)).rejects.toThrow('cannot sign in')
    await watched.close()
  })

  test('is in every mail that these accounts got, and every link was a screen of the list', async () => {
    const SCREENS =
      /\/#(verify-email\/|reset-password\/|forgot-password\?why=not-me$|settings\/(api-keys|pipelines)$|dashboard$)/
    for (const username of ['walda', 'xenia', 'yvo', 'zita']) {
      const mails = await eventually(
        () => messagesTo(world().stack.dataDir, addressOf({ username })),
        (messages) => messages.length > 1,
      )
      for (const { subject, text = '' } of mails) {
        const links = text.split('\n').filter((line) => /^https?:\/\/\S+\/#/.test(line))
        expect([subject, links]).toEqual([subject, [expect.stringMatching(SCREENS)]])
      }
    }
  })
})
