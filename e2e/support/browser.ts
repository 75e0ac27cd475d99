/**
 * A real browser over the real service. A page fails its test when a script throws, when the console
 * says `error` (a breach of the security policy does), or when a request fails that nobody expected.
 */
import { execFileSync } from 'node:child_process'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ROOT } from './stack.ts'

/** Debian's browser; playwright's own would be a download. */
const EXECUTABLE = '/usr/bin/chromium'
/** Containers have no sandbox of their own to give, and a small /dev/shm. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage']

/** Rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Of one step; a machine that does other things too takes its time. */
const WAIT_LIMIT_MS = 15_000

/** The first few say what is wrong; the rest follow from them. */
const FAULTS_TOLD = 10

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

/** Builds a screen when its sources changed; what the service serves is then what the tree says. */
export function buildScreen(room: 'dashboard' | 'admin'): void {
  execFileSync(process.execPath, ['scripts/screens/build.ts', room], { cwd: ROOT, stdio: 'pipe' })
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })

export interface WatchedPage {
  readonly page: Page
  /** A failure that the test brings about: the answer to `path` may have this status. */
  expectStatus(path: string | RegExp, status: number): void
  /** @throws Error with everything that went wrong and was not expected */
  requireNoFaults(): void
  /** Ends the page's context. @throws Error as `requireNoFaults` */
  close(): Promise<void>
}

interface Expected {
  readonly path: string | RegExp
  readonly status: number
}

const isAt = ({ path }: Expected, url: URL) =>
  typeof path === 'string' ? url.pathname === path : path.test(url.pathname)

/** Opens a page in a context of its own: no cookie, no storage, nothing cached. */
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
    // The browser's own line for a failed answer; the answer itself is judged below.
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
    // A page that is left gives up what it was still asking for.
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

/**
 * What axe finds wrong with the page as it stands: `rule: elements`, empty when nothing is.
 *
 * In the mode for pages without frames of other origins: the other one opens a page more for each look,
 * which takes twice as long as the look itself.
 */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze()
  return violations.map(
    ({ id, help, nodes }) =>
      `${id} (${help}): ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`,
  )
}
