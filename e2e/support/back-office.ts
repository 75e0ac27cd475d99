/** The back office in a browser for tests: one service, one browser, the first administrator. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Account, signInAdministrator } from './accounts.ts'
import { buildScreen, launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { button } from './dashboard.ts'
import { type Stack, startStack, temporaryDataDir } from './stack.ts'

export interface BackOffice {
  readonly stack: Stack
  /** The first administrator. */
  readonly boss: Account
  /** A page without a session. Its session check gets a 401. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>
  /** The page at `path`, of a signed-in administrator. */
  openFor(account: Account, path: string, options?: BrowserContextOptions): Promise<WatchedPage>
  /** An account from the API. */
  accountOf(account: Account): Promise<OfficeAccount>
  changePlan(account: Account, plan: 'admin' | 'elite' | 'free'): Promise<void>
}

export interface OfficeAccount {
  readonly id: string
  readonly email: string
  readonly account_type: string
}

/** Starts service and browser before the tests of a `describe`, and stops both after them. */
export function useOffice(): () => BackOffice {
  const folder = temporaryDataDir()
  let stack: Stack
  let browser: Browser
  let boss: Account

  beforeAll(async () => {
    buildScreen('admin')
    const starting = startStack({ dataDir: folder.path, env: { RATE_LIMITS: 'off' } })
    ;[stack, browser] = await Promise.all([starting, launchBrowser()])
    boss = await signInAdministrator(stack)
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    folder.remove()
  })

  async function open(options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await openPage(browser, { baseURL: stack.url, ...options })
    watched.expectStatus('/api/me', 401)
    return watched
  }

  async function accountOf({ username }: Account): Promise<OfficeAccount> {
    const query = { filter: JSON.stringify({ q: username }) }
    const { data } = await boss.api.GET('/api/admin/users', { params: { query } })
    const found = data?.find((user) => user.username === username)
    if (found === undefined) throw new Error(`no account ${username}`)
    return found
  }

  return () => ({
    stack,
    boss,
    open,
    accountOf,
    async openFor(account, path, options) {
      const watched = await open(options)
      await watched.page.goto(path)
      await fillSignIn(watched.page, account)
      await button(watched.page, 'Logout').waitFor()
      return watched
    },
    async changePlan(account, plan) {
      const { id } = await accountOf(account)
      const { response } = await boss.api.PUT('/api/admin/users/{id}', {
        params: { path: { id } },
        body: { account_type: plan },
      })
      if (!response.ok) throw new Error(`${account.username} cannot be made ${plan}`)
    },
  })
}

export async function fillSignIn(
  page: Page,
  { username, password }: Pick<Account, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** Rows of the list, without the header and placeholder rows. */
export const rows = (page: Page) => page.getByRole('table').locator('tbody tr:not(.skeleton)')

export const rowOf = (page: Page, name: string) => rows(page).filter({ has: link(page, name) })

/** The filter of the list in the URL. */
export const filterOf = (page: Page): unknown =>
  JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '{}')
