/// <reference lib="dom" />
/** Chromium as on a slow device, with what it reports about a page: the largest paint, and the delay of each interaction. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage']

const CPU_FACTOR = 4
/** Latency in ms; bytes per second. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })

interface Probes {
  largestPaint: number
  delays: number[]
}

/** Collects in the page what the browser reports. It runs there, so it uses nothing of this file. */
function observe(): void {
  const probes: Probes = { largestPaint: 0, delays: [] }
  Object.assign(globalThis, { probes })
  new PerformanceObserver((list) => {
    probes.largestPaint = list.getEntries().at(-1)?.startTime ?? 0
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if ((entry as { interactionId?: number }).interactionId) probes.delays.push(entry.duration)
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

export interface Device {
  readonly width: number
  readonly height: number
  readonly hasSlowNetwork: boolean
  /** The CPU is slower by this factor. */
  readonly cpuFactor?: number
}

export const PHONE: Device = { width: 390, height: 844, hasSlowNetwork: true }
/** The network does not matter for inputs on a screen that is loaded. */
export const DESK: Device = { width: 1280, height: 800, hasSlowNetwork: false }

interface OpenDevice {
  readonly context: BrowserContext
  readonly page: Page
}

/** Opens a page without cookies, storage and cache. */
export async function openDevice(
  browser: Browser,
  { width, height, hasSlowNetwork, cpuFactor = CPU_FACTOR }: Device,
): Promise<OpenDevice> {
  const context = await browser.newContext({ viewport: { width, height } })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  if (hasSlowNetwork) {
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', NETWORK)
  }
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: cpuFactor })
  await page.addInitScript(observe)
  return { context, page }
}

const probesOf = (page: Page): Promise<Probes> =>
  page.evaluate(() => Reflect.get(globalThis, 'probes') as Probes)

/** When the largest element was painted, in ms since the request. */
export const largestPaint = async (page: Page): Promise<number> =>
  (await probesOf(page)).largestPaint

/** For the page: milliseconds from the next input until the table of domains has one row and is painted. It uses nothing of this file. */
export function untilOneRow(): Promise<number> {
  return new Promise((resolve) => {
    function take({ timeStamp }: Event): void {
      function check(): void {
        const isDone = document.querySelectorAll('.domains tbody tr').length === 1
        if (isDone)
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
        else requestAnimationFrame(check)
      }
      check()
    }
    addEventListener('input', take, { once: true, capture: true })
  })
}

/** The longest delay from an input to the next paint during an action, in ms; 0 if each took less than 16 ms. */
export async function delayOf(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => void (Reflect.get(globalThis, 'probes') as Probes).delays.splice(0))
  await action()
  // The browser reports an event after the paint that follows it.
  await page.evaluate(
    () =>
      new Promise((resume) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resume, 100))),
      ),
  )
  return Math.max(0, ...(await probesOf(page)).delays)
}
