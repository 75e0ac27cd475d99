/**
 * What the user can do on the current screen. A screen registers its actions while it is shown; the command palette, the
 * shortcuts and their overview then offer them.
 */
import { useEffect, useId, useSyncExternalStore } from 'react'
import type { IconName } from '@homing/theme/parts/Icon.tsx'
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

const registered = new Map<string, readonly PageAction[]>()
let all: readonly PageAction[] = []
const listeners = new Set<() => void>()

function change(): void {
  // What was shown last comes first: a screen before its parts, because effects of parts run first.
  all = [...registered.values()].reverse().flat()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The actions of the current screen, outside of components. */
export const pageActions = (): readonly PageAction[] => all

export const usePageActionList = (): readonly PageAction[] =>
  useSyncExternalStore(subscribe, pageActions)

/** Offers these actions while the component is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  const id = useId()
  useEffect(() => {
    registered.set(id, actions)
    change()
  })
  useEffect(
    () => () => {
      registered.delete(id)
      change()
    },
    [id],
  )
}
