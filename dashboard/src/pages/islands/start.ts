/**
 * The blocking script of every public page. It sets the colour scheme. On the page at `/` it also opens the app when the
 * fragment names one of its screens (`/#verify-email/…`), because fragments do not reach the service, or when a user is
 * stored. The app's screen at `/login` adopts the fragment and puts `/#…` back into the address bar.
 *
 * This cannot loop: the service answers `/login` with the app whatever the cookies are, the app changes the URL without
 * loading a page, and it removes a stored user whose session has ended.
 */
import '@homing/theme/color-scheme.js'
import { SCREEN_PATHS } from '@homing/openapi/vocabulary'

function isSomebodyStored(): boolean {
  try {
    return localStorage.getItem('user') !== null
  } catch {
    // The browser can block storage.
    return false
  }
}

const { pathname, search, hash } = location
const [screen] = hash.replace(/^#\/?/, '').split(/[/?]/, 1)
const isScreen = SCREEN_PATHS.some((path) => path.split('/')[1] === screen)
// `/?landing` is the way for signed-in users to this page.
const isAppWanted = isScreen || (!/^\?landing\b/.test(search) && isSomebodyStored())
if (pathname === '/' && isAppWanted) location.replace(`/login${hash}`)
