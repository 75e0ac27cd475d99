/// <reference lib="dom" />
/** The sign-in form with a password alone: its errors, where it leads, and what it leaves in the browser. */
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import {
  button,
  hashOf,
  passwordField,
  picture,
  signInTo,
  text,
  untilFocused,
  useSharedDashboard,
} from './support/dashboard.ts'

describe('signing in with a password', needs('chromium'), () => {
  const world = useSharedDashboard()
  let dora: Account
  beforeAll(async () => {
    dora = await registerAccount(world().stack, 'dora')
  })

  test('reports missing and wrong fields, keeps the typed text, and signs in', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/login')
    await expect.poll(() => page.title()).toBe('Sign in · Homing')
    const name = page.getByLabel('Username or email')
    await untilFocused(name)

    await button(page, 'Sign In').click()
    const alert = page.getByRole('alert')
    await expect
      .poll(() => alert.textContent())
      .toBe('Please enter both username/email and password')

    watched.expectStatus('/api/login', 401)
    await name.fill('dora')
    await passwordField(page).fill('not the password')
    await passwordField(page).press('Enter')
    await expect.poll(() => alert.textContent()).toBe('Invalid username/email or password')
    expect(await name.inputValue()).toBe('dora')
    expect(await passwordField(page).inputValue()).toBe('not the password')
    const described = await passwordField(page).getAttribute('aria-describedby')
    expect(await text(page, `[id="${described}"]`)).toBe('Invalid username/email or password')
    expect(await passwordField(page).getAttribute('aria-invalid')).toBe('true')
    await picture(page, 'sign-in-wrong')

    await signInTo(page, dora)
    expect(hashOf(page)).toBe('#dashboard')
    await watched.close()
  })

  test('offers what password managers look for, and shows a password to who wants to see it', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/login')
    await passwordField(page).fill('a secret')
    expect(await passwordField(page).getAttribute('autocomplete')).toBe('current-password')
    expect(await passwordField(page).getAttribute('type')).toBe('password')
    await button(page, 'Show password').click()
    expect(await passwordField(page).getAttribute('type')).toBe('text')
    const name = page.getByLabel('Username or email')
    expect(await name.getAttribute('autocomplete')).toBe('username webauthn')
    await watched.close()
  })

  test('leads to the requested page', async () => {
    const watched = await world().open()
    await watched.page.goto('/#dashboard?q=nas&sort=-zone')
    await signInTo(watched.page, dora)
    expect(hashOf(watched.page)).toBe('#dashboard?q=nas&sort=-zone')
    await watched.close()
  })

  test('reports a network error, and says when to try again', async () => {
    const watched = await world().open()
    const { page } = watched
    await page.goto('/login')
    await page.getByLabel('Username or email').fill('dora')
    await passwordField(page).fill('a password')
    watched.expectStatus('/api/login', 0)
    await page.route('**/api/login', (route) => route.abort('connectionrefused'))
    await button(page, 'Sign In').click()
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe('Network error. Please try again.')

    await page.unroute('**/api/login')
    watched.expectStatus('/api/login', 429)
    await page.route('**/api/login', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '40' },
        body: JSON.stringify({ detail: 'Too many requests.', code: 'rate-limited' }),
      }),
    )
    await button(page, 'Sign In').click()
    await expect
      .poll(() => alert.textContent())
      .toBe('Too many requests. You can try again in 40 s.')
    await button(page, /^Try again in \d+ s$/).waitFor()
    await watched.close()
  })

  test('keeps no secret where scripts can read', async () => {
    const watched = await world().open()
    await watched.page.goto('/login')
    await signInTo(watched.page, dora)
    const stored = await watched.page.evaluate(() => ({
      local: Object.fromEntries(Object.entries(localStorage)),
      session: Object.fromEntries(Object.entries(sessionStorage)),
      cookie: document.cookie,
    }))
    expect(stored.local['token']).toBe('session')
    expect(JSON.parse(stored.local['user'] ?? '')).toMatchObject({
      username: 'dora',
      plan: 'free',
    })
    expect(stored.session).toMatchObject({ session_valid: 'true' })
    expect(stored.cookie).toBe('')
    expect(JSON.stringify(stored)).not.toContain(dora.password)
    await watched.close()
  })
})
