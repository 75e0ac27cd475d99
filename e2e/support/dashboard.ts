/// <reference lib="dom" />
/** The dashboard in a browser for tests: one service, the browser of the worker, and pages that fail on faults. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { Account } from './accounts.ts'
import {
  buildScreen,
  endSharedPagesOf,
  type PageOptions,
  type Pages,
  sharedPages,
  type WatchedPage,
} from './browser.ts'
import { addressesOf } from './dns.ts'
import {
  eventually,
  type Service,
  type Stack,
  type StackOptions,
  startStack,
  temporaryDataDir,
} from './stack.ts'

/** The folder for screenshots; without it, no screenshots are taken. Tests do not compare them. */
const PICTURES = process.env['SCREENSHOTS']

export interface DashboardWorld {
  readonly stack: Service
  /** A page without a session: no cookie, no storage. */
  open(options?: Partial<PageOptions>): Promise<WatchedPage>
  /**
   * A page of a user who is signed in, without the form: `signInTo` fills it in.
   *
   * @param hasClock the test controls the page's clock: `shownInTime`
   */
  openFor(
    account: Account,
    options?: Partial<PageOptions> & { readonly hasClock?: boolean },
  ): Promise<WatchedPage>
  /** Waits until DNS answers a name with an address. */
  served(name: string, address: string): Promise<unknown>
}

/** Starts a service before the tests of a `describe`, and stops it after them. @param env of the service */
export function useDashboard(env: StackOptions['env'] = {}): () => DashboardWorld {
  const folder = temporaryDataDir()
  let stack: Stack | undefined
  return useDashboardOf(
    async () => {
      buildScreen('dashboard')
      stack = await startStack({ dataDir: folder.path, env: { RATE_LIMITS: 'off', ...env } })
      return stack
    },
    async () => {
      if (stack !== undefined) await endSharedPagesOf(stack.url)
      await stack?.stop()
      folder.remove()
    },
  )
}

/** A browser over the service of `shared-service.ts`, before the tests of a `describe`. */
export function useSharedDashboard(): () => DashboardWorld {
  return useDashboardOf(
    async () => inject('sharedService'),
    async () => undefined,
  )
}

function useDashboardOf(
  start: () => Promise<Service>,
  stop: () => Promise<void>,
): () => DashboardWorld {
  let stack: Service
  let pages: Pages

  beforeAll(async () => {
    ;[stack, pages] = await Promise.all([start(), sharedPages()])
  })
  afterAll(async () => {
    await pages?.endPagesInUse()
    await stop()
  })

  const open = (options: Partial<PageOptions> = {}) =>
    pages.open({ baseURL: stack.url, ...options })

  return () => ({
    stack,
    open,
    async openFor(account, { hasClock = false, ...options } = {}) {
      const watched = await open(hasClock ? { ...options, isFresh: true } : options)
      if (hasClock) {
        await watched.page.clock.install()
        // Events come by the time of the service. Without them, the dashboard polls by the time of the page.
        await watched.page.addInitScript(
          () => void Reflect.deleteProperty(globalThis, 'EventSource'),
        )
      }
      await takeSession(watched.page, options.baseURL ?? stack.url, account)
      await watched.page.goto('/#dashboard')
      await watched.page.getByText(`Welcome, ${account.username}`).waitFor()
      return watched
    },
    served: (name, address) =>
      eventually(
        () => addressesOf(stack.dnsPort, name, address.includes(':') ? 'AAAA' : 'A'),
        ([first]) => first === address,
      ),
  })
}

/** Waits until a closed dialog has left the URL: its step back in the history could cancel or undo a navigation. */
export const untilDialogLeft = (page: Page) =>
  page.waitForURL(({ hash }) => !hash.includes('dialog='))

/** @param isWhole the whole page, not only what the window shows */
export async function picture(page: Page, name: string, isWhole = false): Promise<void> {
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: isWhole })
}

/** Waits until an element has the focus: a field can be visible before it has the focus. */
export async function untilFocused(place: Locator): Promise<void> {
  await expect
    .poll(() => place.evaluate((element) => element === document.activeElement))
    .toBe(true)
}

export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })

/**
 * Advances the page's clock second by second until an element is shown, so that the test does not wait for timers such as
 * polling. The test must install the clock (`page.clock.install()`) before it opens the page.
 */
export async function shownInTime({ clock }: Page, shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await clock.fastForward(1_000)
      return shown.isVisible()
    })
    .toBe(true)
}

/** Gives the browser the cookie of a new session. @param origin of the page @throws Error when the password is refused */
export async function takeSession(
  page: Page,
  origin: string,
  { username, password }: Pick<Account, 'username' | 'password'>,
): Promise<void> {
  const answer = await page.context().request.post(`${origin}/api/login`, {
    data: { username_or_email: username, password },
    // The service sets a cookie for browsers, which send this header.
    headers: { origin },
  })
  if (!answer.ok()) throw new Error(`${username} cannot sign in: ${answer.status()}`)
}

/** Fills in the form of registration, without sending it. */
export async function fillSignUp(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@mail.example`)
  await passwordField(page).fill(`the password of ${username}`)
  await page.getByRole('checkbox').check()
}

/** Fills in the form and waits for the dashboard. */
export async function signInTo(
  page: Page,
  { username, password }: Pick<Account, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await passwordField(page).fill(password)
  await passwordField(page).press('Enter')
  await page.getByText(`Welcome, ${username}`).waitFor()
}

/** Signs in again in the dialog that covers the screen after its session has ended, and waits until it is gone. */
export async function signInAgain(page: Page, password: string): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByLabel('Password', { exact: true }).fill(password)
  await again.getByLabel('Password', { exact: true }).press('Enter')
  await again.waitFor({ state: 'detached' })
}

export const rowOf = (page: Page, fqdn: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: fqdn, exact: true }) })

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Chooses an item in the menu of a domain's row. */
export async function chooseInMenu(page: Page, fqdn: string, item: string): Promise<void> {
  await button(page, `Actions for ${fqdn}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Opens the dialog that changes the addresses: by its button, or on phones by the menu. */
export async function openUpdate(page: Page, fqdn: string): Promise<void> {
  await rowOf(page, fqdn).waitFor()
  const update = button(page, `Update ${fqdn}`)
  if (await update.isVisible()) await update.click()
  else await chooseInMenu(page, fqdn, 'Edit Address')
}

export const dialog = (page: Page) => page.getByRole('dialog')

export const text = async (page: Page, selector: string) => (await page.textContent(selector)) ?? ''

/** Loads the document of the current page again, at another fragment, which does not draw that screen twice. */
export async function loadAt(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', `/${to}`), hash)
  await page.reload()
}

export const hashOf = (page: Page) => new URL(page.url()).hash

/** Closes the dialog that opens after a domain was added: how to set up the router for it. */
export async function closeHowTo(page: Page): Promise<void> {
  const howTo = page.getByRole('dialog', { name: /^How to update/ })
  await howTo.getByRole('button', { name: 'Close' }).click()
  await howTo.waitFor({ state: 'detached' })
}
