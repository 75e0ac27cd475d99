/// <reference lib="dom" />
/** Accounts in Chromium: signing up, the links of mails, a new password, a new address, a deletion that is undone. */
import type { Page } from 'playwright-core'
import type { Email } from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { registerAccount } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import { PHONE, type WatchedPage } from './support/browser.ts'
import {
  button,
  fillSignUp,
  hashOf,
  passwordField,
  picture,
  signInTo,
  useSharedDashboard,
} from './support/dashboard.ts'
import { linkOfMail } from './support/mail-links.ts'
import { messagesTo } from './support/mailbox.ts'
import { eventually } from './support/stack.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

describe('an account', needs('chromium'), () => {
  const world = useSharedDashboard()
  /** The host of `PUBLIC_URL`, to which the links of mails lead. */
  const baseURL = () => world().stack.url.replace('127.0.0.1', 'localhost')
  const addresses: string[] = []
  let voidLink = ''

  async function open(options: { readonly viewport?: typeof PHONE } = {}): Promise<WatchedPage> {
    return world().open({ baseURL: baseURL(), ...options })
  }

  /** The link of the newest mail to an address with such a link. */
  async function linkTo(address: string, fragment: string): Promise<string> {
    const shape = new RegExp(`https?://\\S+/#${fragment}/[\\w-]+`)
    const find = async () =>
      (await messagesTo(world().stack.dataDir, address))
        .map(({ text = '' }) => shape.exec(text)?.[0])
        .findLast((found) => found !== undefined)
    addresses.push(address)
    return (await eventually(find, (found) => found !== undefined)) ?? ''
  }

  /** Signs up in a browser. @returns the link of the mail */
  async function signUp(watched: WatchedPage, username: string): Promise<string> {
    const { page } = watched
    await page.goto('/#register')
    await fillSignUp(page, username)
    await button(page, 'Sign Up').click()
    await heading(page, 'Check Your Email').waitFor()
    return linkTo(`${username}@mail.example`, 'verify-email')
  }

  test('is registered, verified by the link in its mail, and signed in', async () => {
    const watched = await open()
    const { page } = watched
    await page.goto('/#login')
    await link(page, 'Sign Up').click()
    const url = await signUp(watched, 'norma')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.goto(url)
    await heading(page, 'Email Verified!').waitFor()
    await heading(page, 'Sign in').waitFor()
    await signInTo(page, { username: 'norma', password: 'the password of norma' })
    watched.expectStatus(/^\/api\/verify-email\//, 409)
    await page.goto(url)
    await heading(page, 'Already verified').waitFor()
    await watched.close()
  })

  test('is verified by a button in every other browser, and by no program that opens links', async () => {
    const registering = await open()
    const url = await signUp(registering, 'otto')
    const path = `/api${new URL(url).hash.replace('#', '/')}`
    expect((await fetch(new URL(path, baseURL()))).status).toBe(409)
    const headers = { accept: 'text/html' }
    const answer = await fetch(new URL(path, baseURL()), { headers, redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`/${new URL(url).hash}`)

    const watched = await open({ viewport: PHONE })
    const { page } = watched
    watched.expectStatus(path, 409)
    await page.goto(url)
    await page.getByText('otto@mail.example').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await picture(page, 'verify-email-phone')
    await button(page, 'Verify my email address').click()
    await heading(page, 'Email Verified!').waitFor()
    await watched.close()
    await registering.close()
  })

  test('is opened with a domain in mind, and with an address that is corrected', async () => {
    const watched = await open()
    const { page } = watched
    await page.goto('/')
    await page.getByLabel('Find your domain').fill('ilka-home')
    await button(page, 'Register it').click()
    await page.getByText('ilka-home.homing.test').waitFor()
    await fillSignUp(page, 'ilka')
    await button(page, 'Sign Up').click()
    const wrong = await linkTo('ilka@mail.example', 'verify-email')
    voidLink = wrong
    await link(page, 'Correct it').click()
    await heading(page, 'Correct your address').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('ilka')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByLabel('Email').fill('ilka.right@mail.example')
    await passwordField(page).fill('the password of ilka')
    await page.getByRole('checkbox').check()
    await button(page, 'Sign Up').click()
    await page.getByText('ilka.right@mail.example').waitFor()
    const right = await linkTo('ilka.right@mail.example', 'verify-email')

    // The mail program opens the link in another tab.
    const tab = await page.context().newPage()
    await tab.goto(wrong)
    await heading(tab, 'Verification Failed').waitFor()
    await tab.goto('about:blank')
    await tab.goto(right)
    await heading(tab, 'Sign in').waitFor()
    await tab.getByLabel('Username or email').fill('ilka')
    await passwordField(tab).fill('the password of ilka')
    await button(tab, 'Sign In').click()
    const dialog = tab.getByRole('dialog', { name: 'Add domain' })
    await dialog.getByText('ilka-home.homing.test', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Add Domain' }).click()
    await tab.getByText('ilka-home.homing.test was added').waitFor()
    await watched.close()
  })

  test('whose password is forgotten gets a new one', async () => {
    const rosa = await registerAccount(world().stack, 'rosa')
    const watched = await open()
    const { page } = watched
    await page.goto('/#login')
    await link(page, 'Forgot Password').click()
    // The field of the sign-in screen is called "Username or email".
    await page.getByLabel('Email', { exact: true }).fill('rosa@mail.example')
    await button(page, 'Send Reset Link').click()
    await heading(page, 'Check Your Email').waitFor()
    await page.goto(await linkTo('rosa@mail.example', 'reset-password'))
    await page.getByText('rosa', { exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    const password = 'another word of rosa'
    await page.getByLabel('New Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm New Password', { exact: true }).fill(password)
    await button(page, 'Reset Password').click()
    await heading(page, 'Password Reset Successful!').waitFor()
    expect((await rosa.api.GET('/api/me')).response.status).toBe(401)
    await link(page, 'Go to Login').click()
    await signInTo(page, { username: 'rosa', password })
    await watched.close()
  })

  test('gets another address when both addresses agree', async () => {
    const uma = await registerAccount(world().stack, 'uma')
    const [old, email] = ['uma@mail.example', 'uma.new@mail.example']
    await uma.api.POST('/api/change-email', { body: { email, password: uma.password } })
    const watched = await open()
    const { page } = watched
    for (const [address, title] of [
      [email, 'Address Confirmed'],
      [old, 'Email Address Changed'],
    ] as const) {
      await page.goto(await linkTo(address, 'confirm-email'))
      await button(page, 'Confirm this address').click()
      await heading(page, title).waitFor()
    }
    await link(page, 'Go to Login').click()
    await page.getByLabel('Username or email').fill(email)
    await passwordField(page).fill(uma.password)
    await button(page, 'Sign In').click()
    await page.getByText('Welcome, uma').waitFor()
    expect(hashOf(page)).toBe('#dashboard')
    await watched.close()
  })

  test('that would be deleted stays when its owner signs in', async () => {
    const vera = await registerAccount(world().stack, 'vera')
    await vera.api.POST('/api/delete-account', { body: { password: vera.password } })
    addresses.push('vera@mail.example')
    const watched = await open()
    const { dataDir } = world().stack
    await watched.page.goto(
      await linkOfMail(dataDir, 'vera@mail.example', 'Your account will be deleted'),
    )
    await signInTo(watched.page, vera)
    await watched.page.getByText(/^Your account will not be deleted\./).waitFor()
    expect(hashOf(watched.page)).toBe('#dashboard')
    await watched.close()
  })

  describe('every link in its mails', () => {
    /** The screen that a visitor sees at each fragment, after the journeys above. */
    const SCREENS: Readonly<Record<string, RegExp>> = {
      'verify-email': /^(Already verified|Verify your email address)$/,
      'reset-password': /^Invalid or Expired Link$/,
      'confirm-email': /^Confirm your email address$/,
      'forgot-password': /^This was not me$/,
      login: /^Sign in$/,
    }
    const linksOf = ({ text = '' }: Email) =>
      text.split('\n').filter((line) => /^https?:\/\//.test(line))

    test('opens a screen that says what it is for', async () => {
      const again = { username: 'rosa2', email: 'rosa@mail.example' }
      const body = JSON.stringify({ ...again, password: 'a password of somebody', terms: true })
      const headers = { 'content-type': 'application/json' }
      await fetch(new URL('/api/register', baseURL()), { method: 'POST', headers, body })
      await eventually(
        () => messagesTo(world().stack.dataDir, again.email),
        (mails) => mails.some(({ subject = '' }) => subject.includes('already have an account')),
      )

      const mails = await Promise.all(
        [...new Set(addresses)].map((address) => messagesTo(world().stack.dataDir, address)),
      )
      // The journey that corrects an address shows what its void link says.
      const links = [...new Set(mails.flat().flatMap(linksOf))].filter((url) => url !== voidLink)
      const watched = await open()
      watched.expectStatus(/^\/api\/(verify-email|verify-reset-token)\//, 400)
      watched.expectStatus(/^\/api\/verify-email\//, 409)
      const { page } = watched
      const seen = new Set<string>()
      for (const url of links) {
        await page.goto('about:blank')
        await page.goto(url)
        const name = new URL(url).hash.split(/[#/?]/)[1] ?? ''
        await expect
          .poll(() => page.getByRole('heading', { level: 1 }).textContent())
          .toMatch(SCREENS[name] ?? /^no screen of mails$/)
        expect(hashOf(page)).toBe(new URL(url).hash)
        seen.add(name)
      }
      expect([...seen].toSorted()).toEqual(Object.keys(SCREENS).toSorted())
      await watched.close()
    })
  })
})
