/// <reference lib="dom" />
/** axe on the current page, in one colour scheme or in both. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { default as Axe, RunOptions } from 'axe-core'
import type { Page, ViewportSize } from 'playwright-core'
import { resize } from './browser.ts'

/** Minified: a page reads it in a third of the time. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules of WCAG 2.2, levels A and AA. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Runs axe on the current page. Returns one text for each finding: the rule, and the elements that break it. */
export const accessibilityFindings = (page: Page): Promise<string[]> => findingsOf(page, WCAG)

/** The findings of the rules about colours, on a page that `accessibilityFindings` has seen in the other scheme. */
export const colourFindings = (page: Page): Promise<string[]> => findingsOf(page, COLOUR_RULES)

/**
 * A document gets axe once, and only violations leave it: injecting it for each run, and describing
 * what passes, takes longer than the rules. Pages have no frames and no media, so nothing is loaded
 * for the rules in advance.
 *
 * @param runOnly tags or ids of rules
 */
async function findingsOf(page: Page, runOnly: string[]): Promise<string[]> {
  await atRest(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const options: RunOptions = { runOnly, resultTypes: ['violations'], preload: false }
  return page.evaluate(async (how) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe }
    const { violations } = await axe.run(document, how)
    return violations.map(
      ({ id, help, nodes }) =>
        `${id} (${help}): ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`,
    )
  }, options)
}

/**
 * The findings on a page of a web app at several sizes of the window, in the light and the dark scheme. In the dark scheme,
 * only the rules about colours run: the content is the same, so the others would find the same.
 *
 * @param look called in each scheme and size, such as for a screenshot
 */
export async function findingsInBothSchemes(
  page: Page,
  sizes: readonly ViewportSize[],
  look: (scheme: 'light' | 'dark', size: ViewportSize) => Promise<void>,
): Promise<string[]> {
  const findings: string[] = []
  let schemes: readonly ('light' | 'dark')[] = ['light', 'dark']
  for (const size of sizes) {
    await resize(page, size)
    for (const scheme of schemes) {
      await turnTo(page, scheme)
      await atRest(page)
      await look(scheme, size)
      const found = await (scheme === 'light' ? accessibilityFindings : colourFindings)(page)
      findings.push(...found.map((finding) => `${scheme} ${size.width}: ${finding}`))
    }
    // The next size begins with the present scheme. A new size takes longest, then a new scheme.
    schemes = schemes.toReversed()
  }
  await turnTo(page, 'light')
  return findings
}

/** Changes the scheme of the system, and waits for the app to follow. */
async function turnTo(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.waitForFunction(
    (name) => document.documentElement.hasAttribute(`data-${name}`),
    scheme,
  )
}

/** Waits for running animations, except endless ones: axe would see colours between two states. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
      ),
  )
}
