/** Listens to the keyboard, and runs shortcuts. */
import { useEffect } from 'react'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { go } from '../routes.ts'
import { showOverlay } from './overlay.ts'
import { pageActions } from './page-actions.ts'
import { areShortcutsOn } from './shortcut-setting.ts'
import {
  isSingleKey,
  type PageShortcut,
  pressed,
  type ShortcutName,
  SHORTCUTS,
  shortcutOf,
} from './shortcuts.ts'

/** The time for the second key of a sequence. */
const SEQUENCE_MS = 1_500

/** Where keys write or choose something. */
const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])'
const DIALOGS = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]'

const isInField = ({ target }: Event): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null

const isDialogOpen = (): boolean => document.querySelector(DIALOGS) !== null

/** Whether a shortcut works here: single keys not where the user types, and only the palette over a dialog. */
function isAllowed(name: ShortcutName | 'prefix', event: KeyboardEvent): boolean {
  if (name === 'palette') return true
  if (isDialogOpen()) return false
  const isSingle = name === 'prefix' || isSingleKey(name)
  return !isSingle || (areShortcutsOn() && !isInField(event))
}

/** What the screen offers for a shortcut. */
const actionFor = (name: PageShortcut) => pageActions().find(({ shortcut }) => shortcut === name)

/** @returns whether the screen has such an action */
function runOnPage(name: PageShortcut): boolean {
  const action = actionFor(name)
  if (action === undefined) return false
  if (action.disabledReason === undefined) action.run()
  // Ctrl+S is a habit. It needs no answer if there is nothing to save.
  else if (name !== 'save') notify({ kind: 'failure', text: action.disabledReason })
  return true
}

function run(name: ShortcutName): boolean {
  if (name === 'palette' || name === 'overview') showOverlay(name)
  else if (name === 'search' || name === 'create' || name === 'save') return runOnPage(name)
  else go(SHORTCUTS[name].hash)
  return true
}

/** Runs shortcuts while the component is shown. */
export function useShortcuts(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined
    let prefix = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    function listen(event: KeyboardEvent): void {
      const key = pressed(event)
      if (key === undefined || event.defaultPrevented || event.isComposing || event.repeat) return
      clearTimeout(timer)
      const found = shortcutOf(`${prefix}${key}`)
      prefix = ''
      // Not even over a dialog should the browser save the page instead.
      if (found === 'save' && actionFor('save') !== undefined) event.preventDefault()
      if (found === undefined || !isAllowed(found, event)) return
      if (found === 'prefix') {
        prefix = `${key} `
        timer = setTimeout(() => {
          prefix = ''
        }, SEQUENCE_MS)
      } else if (run(found)) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', listen)
    }
  }, [isActive])
}
