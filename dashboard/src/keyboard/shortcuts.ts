/** All keyboard shortcuts of the app. Screens refer to them by name, so no key has two meanings on one screen. */
import type { KeysProps } from '../components/Keys.tsx'
import { hashOf } from '../routes.ts'

interface Shortcut {
  /** `Mod+K`: with Ctrl, or with Command on a Mac. `g d`: one key after the other. */
  readonly keys: string
  readonly text: string
  /** The place that it opens. */
  readonly hash?: string
}

export const SHORTCUTS = {
  palette: { keys: 'Mod+K', text: 'Open the command palette' },
  overview: { keys: '?', text: 'Show the keyboard shortcuts' },
  search: { keys: '/', text: 'Search this page' },
  create: { keys: 'c', text: 'Create' },
  save: { keys: 'Mod+S', text: 'Save the form' },
  dashboard: { keys: 'g d', text: 'Go to the dashboard', hash: hashOf('dashboard') },
  webforward: { keys: 'g f', text: 'Go to web forwarding', hash: hashOf('webforward') },
  analytics: { keys: 'g a', text: 'Go to DNS analytics', hash: hashOf('analytics') },
  zones: { keys: 'g z', text: 'Go to the own zones', hash: hashOf('zones') },
  settings: { keys: 'g s', text: 'Go to the settings', hash: hashOf('settings') },
  'api-keys': { keys: 'g k', text: 'Go to the API keys', hash: hashOf('settings', {}, 'api-keys') },
} as const satisfies Readonly<Record<string, Shortcut>>

export type ShortcutName = keyof typeof SHORTCUTS

/** The shortcuts that a screen gives a meaning. */
export type PageShortcut = 'search' | 'create' | 'save'

export const SHORTCUT_NAMES = Object.keys(SHORTCUTS) as readonly ShortcutName[]

const isMac = (): boolean => /\bMac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of a shortcut as the keyboard names them: Ctrl and K, or g and then d. */
export function keysOf(name: ShortcutName): KeysProps {
  const { keys } = SHORTCUTS[name]
  const names = keys.split(/[+ ]/).map((key) => (key === 'Mod' ? (isMac() ? '⌘' : 'Ctrl') : key))
  return { keys: names, isSequence: keys.includes(' ') }
}

/** Whether it works without a modifier key. The user can turn these off, because speech input can trigger them. */
export const isSingleKey = (name: ShortcutName): boolean => !SHORTCUTS[name].keys.includes('+')

type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'
>

/** The character of a key. A keyboard of another script has the Latin letter of its place, also with Caps Lock. */
function characterOf({ key, code, shiftKey }: PressedKey): string | undefined {
  if (key.length !== 1) return undefined
  const latin = key > '\u007F' ? /^Key([A-Z])$/.exec(code)?.[1] : key
  return shiftKey ? latin : latin?.toLowerCase()
}

/** A pressed key in the format of the table; undefined if it can be no shortcut. */
export function pressed(event: PressedKey): string | undefined {
  const character = characterOf(event)
  // AltGr sets Alt and Ctrl on some systems, and writes characters.
  if (character === undefined || event.altKey) return undefined
  if (!event.ctrlKey && !event.metaKey) return character
  return event.shiftKey ? undefined : `Mod+${character.toUpperCase()}`
}

/** The shortcut of these keys, whether keys can follow, or neither. */
export function shortcutOf(keys: string): ShortcutName | 'prefix' | undefined {
  const name = SHORTCUT_NAMES.find((each) => SHORTCUTS[each].keys === keys)
  if (name !== undefined) return name
  const isPrefix = SHORTCUT_NAMES.some((each) => SHORTCUTS[each].keys.startsWith(`${keys} `))
  return isPrefix ? 'prefix' : undefined
}
