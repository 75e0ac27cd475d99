/** The command palette and the overview of the shortcuts, over every screen of a signed-in user. */
import { lazy, Suspense, useEffect } from 'react'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { showOverlay, useOverlay } from '../../keyboard/overlay.ts'
import { useShortcuts } from '../../keyboard/use-shortcuts.ts'

const load = {
  palette: () => import('./Palette.tsx'),
  overview: () => import('./ShortcutsDialog.tsx'),
}
const Palette = lazy(load.palette)
const ShortcutsDialog = lazy(load.overview)

/** The delay before the download, so that the screen itself comes first. */
const IDLE_MS = 1_000

const close = () => showOverlay()

/** @param props.isActive whether a user is signed in */
export function Overlays({ isActive }: { readonly isActive: boolean }) {
  const overlay = useOverlay()
  useShortcuts(isActive)
  useEffect(() => {
    if (!isActive) return undefined
    // They open without a delay later. If the download fails, opening one says so.
    const timer = setTimeout(() => {
      Promise.all([load.palette(), load.overview()]).catch(() => undefined)
    }, IDLE_MS)
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [isActive])
  if (!isActive || overlay === undefined) return null
  return (
    <LoadBoundary key={overlay} showsIn="notice" onFailure={close}>
      <Suspense fallback={null}>
        {overlay === 'palette' ? <Palette onClose={close} /> : <ShortcutsDialog onClose={close} />}
      </Suspense>
    </LoadBoundary>
  )
}
