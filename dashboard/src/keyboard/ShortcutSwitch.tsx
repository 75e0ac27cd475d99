import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { turnShortcuts, useShortcutsOn } from './shortcut-setting.ts'

/** Turns the shortcuts of single keys on and off, at once. */
export function ShortcutSwitch() {
  const isOn = useShortcutsOn()
  return (
    <div className="field">
      <CheckField name="shortcuts" isChecked={isOn} onChange={turnShortcuts}>
        Use shortcuts of single keys
      </CheckField>
      <p className="field-help">
        Turn this off if speech input or stray keys trigger shortcuts. It applies to this browser,
        and at once. Shortcuts with Ctrl or ⌘ always work.
      </p>
    </div>
  )
}
