/**
 * Copies a text to the clipboard. HTTP pages have no Clipboard API, and browsers can refuse it on
 * other pages. The text is then selected, and copied with `execCommand` if the browser supports it.
 *
 * @param shownIn the element that shows the text
 * @returns whether the text was copied. If not, it is selected.
 */
export async function copyText(text: string, shownIn: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shownIn === null) return false
    getSelection()?.selectAllChildren(shownIn)
    // Deprecated, but the only way on HTTP pages.
    return document.execCommand('copy')
  }
}
