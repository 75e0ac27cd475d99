/** The command palette and the overview of the shortcuts, over every screen of a signed-in user. */
import { usePainted } from '@homing/theme/parts/after-paint.ts'
import { Suspense, useEffect } from 'react'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { preloadable } from '../../components/preloadable.ts'
import { showOverlay, useOverlay } from '../../keyboard/overlay.ts'
import { useShortcuts } from '../../keyboard/use-shortcuts.ts'

const { Part: Palette, preload: preloadPalette } = preloadable(() => import('./Palette.tsx'))
const { Part: ShortcutsDialog, preload: preloadShortcuts } = preloadable(
  () => import('./ShortcutsDialog.tsx'),
)

/** The delay before the download, so that the screen itself comes first. */
const IDLE_MS = 1_000

const close = () => showOverlay()

const GROUND = <div className="overlay-ground" />

/** @param props.isActive whether a user is signed in */
export function Overlays({ isActive }: { readonly isActive: boolean }) {
  const overlay = useOverlay()
  const isPainted = usePainted(overlay !== undefined)
  useShortcuts(isActive)
  useEffect(() => {
    if (!isActive) return undefined
    // They open without a delay later. If the download fails, opening one says so.
    const timer = setTimeout(() => {
      Promise.all([preloadPalette(), preloadShortcuts()]).catch(() => undefined)
    }, IDLE_MS)
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [isActive])
  if (!isActive || overlay === undefined) return null
  // The key is answered by the ground of the overlay, which takes longer itself.
  if (!isPainted) return GROUND
  return (
    <LoadBoundary key={overlay} showsIn="notice" onFailure={close}>
      <Suspense fallback={GROUND}>
        {overlay === 'palette' ? <Palette onClose={close} /> : <ShortcutsDialog onClose={close} />}
      </Suspense>
    </LoadBoundary>
  )
}
