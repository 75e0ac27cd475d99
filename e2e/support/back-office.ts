/** The back office in a browser for tests: one service, the browser of the worker, the first administrator. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Account, signInAdministrator } from './accounts.ts'
import { type PageOptions, type Pages, sharedPages, type WatchedPage } from './browser.ts'
import { button, takeSession } from './dashboard.ts'
import type { Service } from './stack.ts'

export interface BackOffice {
  readonly stack: Service
  /** The first administrator. */
  readonly boss: Account
  /** A page without a session. Its session check gets a 401. */
  open(options?: Partial<PageOptions>): Promise<WatchedPage>
  /** The page at `path`, of an administrator who is signed in, without the form: `fillSignIn` fills it in. */
  openFor(account: Account, path: string, options?: Partial<PageOptions>): Promise<WatchedPage>
  /** An account from the API. */
  accountOf(account: Account): Promise<OfficeAccount>
  changePlan(account: Account, plan: 'admin' | 'elite' | 'free'): Promise<void>
}

export interface OfficeAccount {
  readonly id: string
  readonly email: string
  readonly account_type: string
}

/** A browser over the service of `shared-service.ts`, before the tests of a `describe`. */
export function useSharedOffice(): () => BackOffice {
  return useOfficeOf(() => inject('sharedService'))
}

/** A browser over a service that has started, before the tests of a `describe`. */
export function useOfficeOf(service: () => Service): () => BackOffice {
  let stack: Service
  let pages: Pages
  let boss: Account

  beforeAll(async () => {
    stack = service()
    pages = await sharedPages()
    boss = await signInAdministrator(stack)
  })
  afterAll(async () => pages?.endPagesInUse())

  async function open(options: Partial<PageOptions> = {}): Promise<WatchedPage> {
    const watched = await pages.open({ baseURL: stack.url, ...options })
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
    async openFor(account, path, options = {}) {
      const watched = await open(options)
      await takeSession(watched.page, options.baseURL ?? stack.url, account)
      await watched.page.goto(path)
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
