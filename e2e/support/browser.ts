/**
 * A real browser with the real service. A page fails its test when a script throws, when the console
 * logs an `error` (which includes violations of the Content Security Policy), or when a request fails
 * unexpectedly.
 */
import { execFileSync } from 'node:child_process'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ROOT } from './stack.ts'

/** Debian's browser. Playwright's own browser would require a download. */
const EXECUTABLE = '/usr/bin/chromium'
/** Containers do not support Chromium's sandbox, and have a small /dev/shm. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage']

/** Rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The time limit of one step. A busy machine is slow. */
const WAIT_LIMIT_MS = 15_000

/** The number of faults to report. Later faults usually follow from the first. */
const FAULTS_TOLD = 10

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

/** Builds a web app if its sources changed, so that the service serves the current code. */
export function buildScreen(room: 'dashboard' | 'admin'): void {
  execFileSync(process.execPath, ['scripts/screens/build.ts', room], { cwd: ROOT, stdio: 'pipe' })
}

/** @param more arguments of Chromium */
export const launchBrowser = (...more: string[]): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS, ...more] })

export interface WatchedPage {
  readonly page: Page
  /** Allows a failure that the test causes: responses to `path` may have this status. */
  expectStatus(path: string | RegExp, status: number): void
  /** @throws Error with all unexpected faults */
  requireNoFaults(): void
  /** Closes the page's context. @throws Error as `requireNoFaults` */
  close(): Promise<void>
}

interface Expected {
  readonly path: string | RegExp
  readonly status: number
}

const isAt = ({ path }: Expected, url: URL) =>
  typeof path === 'string' ? url.pathname === path : path.test(url.pathname)

/** Opens a page in a new context: without cookies, storage and cache. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions & { baseURL: string },
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'en-GB',
    timezoneId: 'UTC',
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_LIMIT_MS)
  const expected: Expected[] = []
  const faults: string[] = []

  page.on('pageerror', (error) => faults.push(`thrown: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // The browser logs failed responses. The code below checks the responses themselves.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    const [url, status] = [new URL(response.url()), response.status()]
    if (status < 400 || expected.some((each) => each.status === status && isAt(each, url))) return
    faults.push(`${response.request().method()} ${url.pathname} answered ${status}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Navigation cancels the pending requests of the page.
    const url = new URL(request.url())
    if (reason === 'net::ERR_ABORTED' || expected.some((e) => e.status === 0 && isAt(e, url)))
      return
    faults.push(`${request.method()} ${url.pathname}: ${reason}`)
  })

  function requireNoFaults(): void {
    const once = [...new Set(faults)].slice(0, FAULTS_TOLD)
    if (once.length > 0) throw new Error(`the page is not as it should be:\n${once.join('\n')}`)
  }
  return {
    page,
    expectStatus: (path, status) => void expected.push({ path, status }),
    requireNoFaults,
    async close() {
      await context.close()
      requireNoFaults()
    },
  }
}

/** The rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * The findings of axe on the current page, as `rule: elements`; empty if there are none.
 *
 * Uses the mode for pages without cross-origin frames. The other mode opens another page for each run,
 * which takes twice as long as the run itself.
 */
export const accessibilityFindings = (page: Page): Promise<string[]> =>
  findingsOf(new AxeBuilder({ page }).withTags(WCAG))

async function findingsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.setLegacyMode().analyze()
  return violations.map(
    ({ id, help, nodes }) =>
      `${id} (${help}): ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`,
  )
}

/**
 * The findings on a page of a web app in the light and the dark scheme. In the dark scheme, only the rules about colours
 * run: the content is the same, so the others would find the same.
 *
 * @param look called in each scheme, such as for a screenshot
 */
export async function findingsInBothSchemes(
  page: Page,
  look: (scheme: 'light' | 'dark') => Promise<void>,
): Promise<string[]> {
  await turnTo(page, 'light')
  await look('light')
  const light = await accessibilityFindings(page)
  await turnTo(page, 'dark')
  await look('dark')
  const dark = await findingsOf(new AxeBuilder({ page }).withRules(COLOUR_RULES))
  await turnTo(page, 'light')
  return [...light, ...dark.map((finding) => `dark: ${finding}`)]
}

/** Changes the scheme of the system, and waits for the app to follow. */
async function turnTo(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.waitForFunction(
    (name) =>
      document.documentElement.hasAttribute(`data-${name}`) &&
      document.getAnimations().every((animation) => animation.playState !== 'running'),
    scheme,
  )
}
