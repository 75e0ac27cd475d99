/** Opens the person's browser. */
import { spawn } from 'node:child_process'

/** A program that is still running after this time shows the page. */
const STARTED_MS = 3_000

/** The program that opens a URL; undefined on a machine without a screen. */
function opener(): string | undefined {
  if (process.platform === 'darwin') return 'open'
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env
  if (WSL_DISTRO_NAME) return 'wslview'
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined
}

/** Whether there is a person at a terminal who can see a browser. A pipe or a variable of a shell wants only the URL. */
const hasPerson = (): boolean =>
  process.stdout.isTTY && process.stderr.isTTY && (process.env['CI'] ?? '') === ''

/** Opens a URL, without a shell. @returns whether a browser was started */
async function openInBrowser(url: string): Promise<boolean> {
  const program = opener()
  if (program === undefined) return false
  const child = spawn(program, [url], { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STARTED_MS, true)
    const end = (isOpened: boolean) => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    child.once('error', () => end(false))
    child.once('exit', (code) => end(code === 0))
  })
}

/**
 * Opens a page if a person at a terminal can see a browser.
 *
 * @param isWanted false: it is never opened
 * @returns a message for the person, if opening it was tried
 */
export async function showPage(
  url: string,
  isWanted: boolean,
): Promise<{ readonly opened: boolean; readonly message?: string }> {
  if (!isWanted || !hasPerson()) return { opened: false }
  const opened = await openInBrowser(url)
  const message = opened ? 'Opened in your browser.' : 'No browser could be opened. Open the URL.'
  return { opened, message }
}
