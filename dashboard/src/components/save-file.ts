/** How long the browser may take to start reading the file. */
const READ_WITHIN_MS = 60_000

/** Saves a file to the user's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS)
}
