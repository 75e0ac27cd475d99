/**
 * Puts a text on the clipboard. Pages on plain http have no Clipboard API, and a browser may refuse
 * it elsewhere; then the text is selected, and copied the old way where that still works.
 *
 * @param shownIn the element that shows the text
 * @returns whether it was copied. Where it was not, it is selected.
 */
export async function copyText(text: string, shownIn: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shownIn === null) return false
    getSelection()?.selectAllChildren(shownIn)
    // Deprecated, and the only way on plain http.
    return document.execCommand('copy')
  }
}
