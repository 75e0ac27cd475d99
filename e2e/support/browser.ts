/// <reference lib="dom" />
/**
 * A real browser with the real service. A page fails its test when a script throws, when the console
 * logs an `error` (which includes violations of the Content Security Policy), or when a request fails
 * unexpectedly.
 */
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request,
  type Response,
  type ViewportSize,
} from 'playwright-core'
import { build } from '../../test/build.ts'
import { pathOf } from '../../test/outside-tool.ts'

/**
 * Containers do not support Chromium's sandbox, and have a small /dev/shm. A process of its own for painting costs a tenth
 * of the processor time.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--in-process-gpu']

/** The time limit of one step. A busy machine is slow. */
const WAIT_LIMIT_MS = 15_000

/** The number of faults to report. Later faults usually follow from the first. */
const FAULTS_TOLD = 10

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
/** The narrowest window that WCAG 2.2, success criterion 1.4.10, asks for. */
export const NARROW = { width: 320, height: 640 }

/** Builds a web app if its sources changed, so that the service serves the current code. */
export const buildScreen = (room: 'admin' | 'dashboard'): void => build(room)

/**
 * Starts Debian's browser: Playwright's own would require a download.
 *
 * @param more arguments of Chromium
 * @throws Error when it is not installed; tests name it in `needs`
 */
export const launchBrowser = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: pathOf('chromium') ?? '', args: [...ARGUMENTS, ...more] })

export type PageOptions = BrowserContextOptions & {
  readonly baseURL: string
  /**
   * The page has a cold cache and is not used again: for init scripts, clocks and authenticators, which stay with a page,
   * and for measuring what is loaded.
   */
  readonly isFresh?: boolean
}

/** Changes the size of the window, and waits for the page to follow: it hears of a new size before it paints. */
export async function resize(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

export interface WatchedPage {
  readonly page: Page
  /** Allows a failure that the test causes: responses to `path` may have this status, or 0 for no response. */
  expectStatus(path: string | RegExp, status: number): void
  /** @throws Error with all unexpected faults */
  requireNoFaults(): void
  /** Ends its use. @throws Error as `requireNoFaults` */
  close(): Promise<void>
}

interface Expected {
  readonly path: string | RegExp
  readonly status: number
}

interface Fault {
  readonly text: string
  /** What failed; absent for an error of a script. `status` is 0 when no response came. */
  readonly at?: { readonly url: URL; readonly status: number }
}

const isOf =
  ({ url: { pathname }, status }: NonNullable<Fault['at']>) =>
  (expected: Expected) =>
    expected.status === status &&
    (typeof expected.path === 'string' ? pathname === expected.path : expected.path.test(pathname))

/** A page that opens the live stream while its session ends, as at a sign-out, is refused, and closes the stream. */
const ENDED_SESSION: Expected = { path: '/api/stream', status: 401 }

/** Watches a page for faults. @param end called by `close` */
function watch(page: Page, end: () => Promise<void>): WatchedPage {
  const expected: Expected[] = [ENDED_SESSION]
  const faults: Fault[] = []

  const onThrown = (error: Error) =>
    faults.push({ text: `thrown: ${error.stack ?? error.message}` })
  const onConsole = (message: ConsoleMessage) => {
    // The browser logs failed responses. The code below checks the responses themselves.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push({ text: `console: ${message.text()}` })
  }
  const onResponse = (response: Response) => {
    const [url, status] = [new URL(response.url()), response.status()]
    if (status < 400) return
    const text = `${response.request().method()} ${url.pathname} answered ${status}`
    faults.push({ text, at: { url, status } })
  }
  const onFailed = (request: Request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Navigation cancels the pending requests of the page.
    if (reason === 'net::ERR_ABORTED') return
    const url = new URL(request.url())
    faults.push({ text: `${request.method()} ${url.pathname}: ${reason}`, at: { url, status: 0 } })
  }
  page.on('pageerror', onThrown).on('console', onConsole)
  page.on('response', onResponse).on('requestfailed', onFailed)

  function requireNoFaults(): void {
    // A failure can come before the test says that it expects it: expectations are compared here.
    const unexpected = faults.filter(({ at }) => at === undefined || !expected.some(isOf(at)))
    const once = [...new Set(unexpected.map(({ text }) => text))].slice(0, FAULTS_TOLD)
    if (once.length > 0) throw new Error(`the page is not as it should be:\n${once.join('\n')}`)
  }
  return {
    page,
    expectStatus: (path, status) => void expected.push({ path, status }),
    requireNoFaults,
    async close() {
      await end()
      page.off('pageerror', onThrown).off('console', onConsole)
      page.off('response', onResponse).off('requestfailed', onFailed)
      requireNoFaults()
    },
  }
}

let ofThisProcess: { readonly browser: Browser; readonly pages: Pages } | undefined

/**
 * The pages of the browser of this process, which the test files of a worker share: its start, and the compiled scripts of
 * the screens, take as long as a short file. It ends with the process.
 */
export async function sharedPages(): Promise<Pages> {
  if (ofThisProcess?.browser.isConnected() !== true) {
    const browser = await launchBrowser()
    ofThisProcess = { browser, pages: new Pages(browser) }
  }
  return ofThisProcess.pages
}

/** Ends the unused pages that the test files of this process share, of a service that stops. */
export async function endSharedPagesOf(baseURL: string): Promise<void> {
  await ofThisProcess?.pages.endPagesOf(baseURL)
}

/**
 * The pages of a browser. A closed page is used again by the next test, without cookies, storage and routes: its process,
 * its compiled scripts and its cache save half of the time until the next screen is shown.
 */
export class Pages {
  readonly #browser: Browser
  /** Closed pages by the options of their contexts. */
  readonly #idle = new Map<string, Page>()
  readonly #inUse = new Set<Page>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Opens a page without cookies and storage. */
  async open({ isFresh = false, ...options }: PageOptions): Promise<WatchedPage> {
    const { viewport = DESKTOP, colorScheme = 'light', ...others } = options
    const { reducedMotion = 'no-preference', forcedColors = 'none', ...fixed } = others
    const kind = JSON.stringify(fixed)
    const kept = isFresh ? undefined : this.#idle.get(kind)
    if (kept === undefined) {
      const page = await this.#newPage({ ...options, viewport })
      return this.#use(page, () =>
        isFresh ? page.context().close() : this.#keep(page, kind, fixed),
      )
    }
    this.#idle.delete(kind)
    await kept.emulateMedia({ colorScheme, reducedMotion, forcedColors })
    if (viewport !== null) await kept.setViewportSize(viewport)
    return this.#use(kept, () => this.#keep(kept, kind, fixed))
  }

  #use(page: Page, end: () => Promise<void>): WatchedPage {
    this.#inUse.add(page)
    return watch(page, async () => {
      await end()
      this.#inUse.delete(page)
    })
  }

  /** Ends the pages that failed tests left open. */
  async endPagesInUse(): Promise<void> {
    for (const page of this.#inUse) await page.context().close()
    this.#inUse.clear()
  }

  /** Ends the unused pages of a service that stops. */
  async endPagesOf(baseURL: string): Promise<void> {
    for (const [kind, page] of this.#idle) {
      if ((JSON.parse(kind) as PageOptions).baseURL !== baseURL) continue
      this.#idle.delete(kind)
      await page.context().close()
    }
  }

  async #newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await this.#browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_LIMIT_MS)
    return page
  }

  /** Clears a page for its next use. A test may have closed it, or may have opened others. */
  async #keep(page: Page, kind: string, { baseURL }: { baseURL: string }): Promise<void> {
    const context = page.context()
    if (page.isClosed() || this.#idle.has(kind)) return context.close()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const other of context.pages()) if (other !== page) await other.close()
    // A document of the same origin whose scripts cannot write what the next lines remove.
    const blank = new URL('/favicon.svg', baseURL).href
    // The step back in the history that a closing dialog asks for cancels a navigation that begins before it.
    await page.goto(blank).catch(() => page.goto(blank))
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.clearCookies()
    this.#idle.set(kind, page)
  }
}
