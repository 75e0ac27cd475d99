/// <reference lib="dom" />
import type { Page } from 'playwright-core'

/** Checks the current page for text that a narrow window or a zoomed page hides. */
function findCuts(): string[] {
  const { documentElement: root } = document
  const wide = root.scrollWidth - root.clientWidth
  const findings = wide > 0 ? [`the page is ${wide} pixels too wide`] : []
  const isScrolled = (element: Element): boolean =>
    element.parentElement !== null &&
    (/auto|scroll/.test(getComputedStyle(element.parentElement).overflowX) ||
      isScrolled(element.parentElement))
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    if (element.closest('.skip-link, svg, noscript') !== null) continue
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0 || !element.checkVisibility()) continue
    const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
    // For screen readers only.
    if (clipPath !== 'none') continue
    // Only for a finding: the text of an element takes longer than its sizes.
    const name = () =>
      `${element.tagName.toLowerCase()}.${element.className} “${element.innerText.slice(0, 40)}”`
    // Code keeps its lines, and has a scroll bar of its own.
    const isScrolling = /auto|scroll/.test(overflowX) && element.tagName !== 'PRE'
    if (isScrolling && element.scrollWidth > element.clientWidth + 1) {
      findings.push(`${name()} scrolls sideways`)
    }
    const isBeside = box.right > root.clientWidth + 1 || box.left < -1
    if (isBeside && !isScrolled(element)) findings.push(`${name()} is beside the window`)
    const isClipped = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis'
    if (isClipped && element.scrollWidth > element.clientWidth + 1)
      findings.push(`${name()} is cut off`)
  }
  return findings.slice(0, 5)
}

/** What the page hides at its current width; empty if nothing. */
export const layoutFindings = (page: Page): Promise<string[]> => page.evaluate(findCuts)
