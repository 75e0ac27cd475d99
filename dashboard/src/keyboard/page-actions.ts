/**
 * What the user can do on the current screen. A screen registers its actions while it is shown; the command palette, the
 * shortcuts and their overview then offer them.
 */
import type { IconName } from '@homing/theme/parts/Icon.tsx'
import { screenRegistry } from './screen-registry.ts'
import type { PageShortcut } from './shortcuts.ts'

export interface PageAction {
  /** The label of the control that does the same. */
  readonly label: string
  readonly icon: IconName
  readonly shortcut?: PageShortcut
  /** Why the action is not possible now. */
  readonly disabledReason?: string | undefined
  readonly run: () => void
}

const actions = screenRegistry<PageAction>()

/** The actions of the current screen, outside of components. */
export const pageActions = actions.list

export const usePageActionList = actions.useList

/** Offers these actions while the component is shown. */
export const usePageActions = actions.useItems
