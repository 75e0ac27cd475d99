/**
 * Notices when the service serves another version of the app. The page of the app names the script that runs; the page
 * of another version names another script. The browser revalidates the page, which costs one small response.
 */
import { useSyncExternalStore } from 'react'

/** Any screen's path answers the app, also without a session. */
const PAGE = '/login'

/** The least time between two checks. */
const PAUSE_MS = 15 * 60_000

let isOutdated = false
const current = () => isOutdated
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the service serves another version than the one that runs. */
export const useOutdated = (): boolean => useSyncExternalStore(subscribe, current, current)

/** @returns false also if the service does not answer */
async function isReplaced(script: string): Promise<boolean> {
  try {
    const response = await fetch(PAGE, { cache: 'no-cache', credentials: 'same-origin' })
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
    return response.ok && isPage && !(await response.text()).includes(script)
  } catch {
    return false
  }
}

interface Watch {
  /** Checks now, unless another version is known. */
  check(): Promise<void>
  stop(): void
}

/**
 * Checks when the page becomes visible, at most every 15 minutes, and never while it is hidden.
 *
 * @param scriptUrl the script that runs
 */
export function watchAppVersion(scriptUrl: string): Watch {
  const script = new URL(scriptUrl).pathname
  let checkedAt = Date.now()

  async function check(): Promise<void> {
    if (isOutdated) return
    checkedAt = Date.now()
    isOutdated = await isReplaced(script)
    if (isOutdated) for (const listener of listeners) listener()
  }
  function checkIfDue(): void {
    if (!document.hidden && Date.now() - checkedAt >= PAUSE_MS) void check()
  }
  // A part of this version that no longer exists at the service. Vite fires this event.
  const checkNow = () => void check()
  const timer = setInterval(checkIfDue, PAUSE_MS)
  document.addEventListener('visibilitychange', checkIfDue)
  addEventListener('vite:preloadError', checkNow)
  return {
    check,
    stop() {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', checkIfDue)
      removeEventListener('vite:preloadError', checkNow)
      isOutdated = false
    },
  }
}
