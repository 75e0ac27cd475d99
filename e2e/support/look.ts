/** How a screen looks at the widths that people use. */
import type { Page, ViewportSize } from 'playwright-core'
import { atRest, findingsInBothSchemes } from './axe.ts'
import { DESKTOP, NARROW, PHONE, resize } from './browser.ts'
import { dialog, picture } from './dashboard.ts'
import { layoutFindings } from './layout.ts'

/**
 * What axe finds on the current page at the narrowest and the usual width, in both schemes, and what is cut off at these
 * widths and on a phone. The page is in the light scheme, before and after, and has the usual width after it.
 *
 * @param where begins each finding, and the names of the screenshots
 */
export async function lookFindings(page: Page, where: string): Promise<string[]> {
  const isWhole = (await dialog(page).count()) === 0
  const cuts: string[] = []
  const measure = async (scheme: 'light' | 'dark', { width }: ViewportSize) => {
    await picture(page, `${where}-${scheme}-${width}`, isWhole)
    // Both schemes have the same sizes.
    if (scheme === 'light')
      cuts.push(...(await layoutFindings(page)).map((cut) => `${width}: ${cut}`))
  }
  await resize(page, PHONE)
  await atRest(page)
  await measure('light', PHONE)
  const found = await findingsInBothSchemes(page, [NARROW, DESKTOP], measure)
  return [...cuts, ...found].map((finding) => `${where} ${finding}`)
}
