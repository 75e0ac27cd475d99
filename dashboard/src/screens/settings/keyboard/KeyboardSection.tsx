import { GeneralShortcuts } from '../../../keyboard/ShortcutList.tsx'
import { ShortcutSwitch } from '../../../keyboard/ShortcutSwitch.tsx'

/** The keyboard shortcuts, and whether those of single keys work in this browser. */
export default function KeyboardSection() {
  return (
    <div className="card section-card">
      <p>
        Shortcuts work everywhere except where you type. Press <kbd>?</kbd> to see what works on a
        screen. Escape closes every dialog.
      </p>
      <ShortcutSwitch />
      <h2>Shortcuts</h2>
      <GeneralShortcuts />
    </div>
  )
}
