/**
 * The blocking script of the written sign-in screen (`write.tsx`). It sets the colour scheme, and tells the styles what the
 * build cannot know about the browser, so that nothing moves when the app takes the screen over.
 */
import '@homing/theme/color-scheme.js'
import { recall } from '../api/storage.ts'
import { isWritten } from '../places.ts'
import { keepPresses } from './presses.ts'
import { APP_READY } from '../app-ready.ts'

const { dataset } = document.documentElement
if (isWritten(location.hash)) keepPresses()
else dataset['elsewhere'] = ''
if (recall('local', 'user') !== null) dataset['afterSession'] = ''
if (!isSecureContext || !('PublicKeyCredential' in globalThis)) dataset['noPasskeys'] = ''

function showFailure({ target }: Event): void {
  if (target instanceof HTMLScriptElement) dataset['failed'] = ''
}

dataset['waiting'] = ''
addEventListener('error', showFailure, true)
addEventListener(APP_READY, () => {
  delete dataset['waiting']
  delete dataset['elsewhere']
  removeEventListener('error', showFailure, true)
})
