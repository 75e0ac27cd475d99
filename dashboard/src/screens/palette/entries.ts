/** What the command palette offers without a search at the service, and how typed text selects from it. */
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import type { KeysProps } from '../../components/Keys.tsx'
import type { PageAction } from '../../keyboard/page-actions.ts'
import { keysOf, type ShortcutName, SHORTCUTS } from '../../keyboard/shortcuts.ts'
import { ADMIN_PAGE, API_DOCUMENTATION, go, hashOf } from '../../routes.ts'
import { SECTIONS } from '../settings/sections.ts'

export interface Entry {
  readonly id: string
  readonly label: string
  /** Text beside the label, which is searched too. */
  readonly hint?: string | undefined
  readonly icon: IconName
  readonly keys?: KeysProps
  /** The entry is shown and cannot be chosen. The hint is the reason. */
  readonly isDisabled?: boolean
  readonly run: () => void
}

export interface Group {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** The entries that contain every typed word. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/)
  return entries.filter(({ label, hint = '' }) => {
    const text = `${label} ${hint}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export const actionEntries = (actions: readonly PageAction[]): readonly Entry[] =>
  actions.map(({ label, icon, shortcut, disabledReason, run }) => ({
    id: `action-${label}`,
    label,
    icon,
    ...(shortcut !== undefined && { keys: keysOf(shortcut) }),
    ...(disabledReason !== undefined && { isDisabled: true, hint: disabledReason }),
    run,
  }))

/** The shortcut that opens a place. */
const shortcutTo = (hash: string): ShortcutName | undefined =>
  (Object.keys(SHORTCUTS) as ShortcutName[]).find((name) => {
    const shortcut = SHORTCUTS[name]
    return 'hash' in shortcut && shortcut.hash === hash
  })

function placeEntry(label: string, hash: string, icon: IconName, hint?: string): Entry {
  const shortcut = shortcutTo(hash)
  return {
    id: `go-${hash}`,
    label,
    hint,
    icon,
    ...(shortcut !== undefined && { keys: keysOf(shortcut) }),
    run: () => go(hash),
  }
}

const pageEntry = (label: string, url: string, icon: IconName): Entry => ({
  id: `go-${url}`,
  label,
  icon,
  run: () => location.assign(url),
})

interface Ways {
  readonly isAdmin: boolean
  /** Whether the plan includes vanity name servers. Otherwise their screen leads to the dashboard. */
  readonly hasVanity: boolean
  readonly onOverview: () => void
  readonly onLogout: () => void
}

/** Every place that the user can go to. */
export const placeEntries = ({
  isAdmin,
  hasVanity,
  onOverview,
  onLogout,
}: Ways): readonly Entry[] => [
  placeEntry('Dashboard', hashOf('dashboard'), 'home'),
  placeEntry('Web forwarding', hashOf('webforward'), 'forward'),
  placeEntry('DNS analytics', hashOf('analytics'), 'show'),
  placeEntry('Own zones', hashOf('zones'), 'document'),
  ...(hasVanity ? [placeEntry('Vanity name servers', hashOf('vanity-nameservers'), 'router')] : []),
  placeEntry('Deleted domains', hashOf('deleted-domains'), 'remove'),
  placeEntry('Settings', hashOf('settings'), 'settings'),
  ...SECTIONS.map(({ id, title, group }) =>
    placeEntry(title, hashOf('settings', {}, id), 'settings', `Settings · ${group}`),
  ),
  pageEntry('API documentation', API_DOCUMENTATION, 'document'),
  ...(isAdmin ? [pageEntry('Admin Panel', ADMIN_PAGE, 'settings')] : []),
  {
    id: 'overview',
    label: 'Keyboard shortcuts',
    hint: 'Overview',
    icon: 'keyboard',
    keys: keysOf('overview'),
    run: onOverview,
  },
  { id: 'logout', label: 'Logout', icon: 'logout', run: onLogout },
]
