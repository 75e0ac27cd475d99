import { useEffect, useRef } from 'react'
import { useOutdated } from '../../api/app-version.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useUnsaved } from './unsaved.ts'

/** Says once that a new version of the app is available, when nothing is unsaved. The page is never reloaded by itself. */
export function VersionNote() {
  const isOutdated = useOutdated()
  const isUnsaved = useUnsaved()
  const isTold = useRef(false)
  useEffect(() => {
    if (!isOutdated || isUnsaved || isTold.current) return
    isTold.current = true
    const action = { label: 'Reload', run: () => location.reload() }
    notify({ kind: 'info', text: 'A new version is available.', action })
  }, [isOutdated, isUnsaved])
  return null
}
