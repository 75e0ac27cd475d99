import { useColorScheme } from '@mui/material/styles'
import { Icon, type IconName } from './Icon.tsx'

type Mode = 'light' | 'dark' | 'system'

const MODES: Readonly<Record<Mode, { name: string; icon: IconName; next: Mode }>> = {
  system: { name: 'system setting', icon: 'system', next: 'light' },
  light: { name: 'light', icon: 'light', next: 'dark' },
  dark: { name: 'dark', icon: 'dark', next: 'system' },
}

/** Switches between system, light and dark. Its label names the current and the next scheme. */
export function ColorSchemeSwitch() {
  const { mode = 'system', setMode } = useColorScheme()
  const { name, icon, next } = MODES[mode]
  const label = `Colours: ${name}. Change to ${MODES[next].name}`
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={() => setMode(next)}
    >
      <Icon name={icon} />
    </button>
  )
}
