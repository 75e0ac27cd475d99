/** The switch of a monitor. Only native elements, because a table has one in each row. */
import './monitor.css'

interface MonitorSwitchProps {
  readonly fqdn: string
  readonly isOn: boolean
  readonly isDisabled: boolean
  /** The id of the element that says what the monitor does, or why it cannot be turned on. */
  readonly describedBy: string
  readonly onSwitch: (enable: boolean) => void
}

export function MonitorSwitch(props: MonitorSwitchProps) {
  const { fqdn, isOn, isDisabled, describedBy, onSwitch } = props
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-label={`Monitor ${fqdn}`}
      aria-checked={isOn}
      aria-describedby={describedBy}
      disabled={isDisabled}
      onClick={() => onSwitch(!isOn)}
    >
      <span className="switch-track" />
    </button>
  )
}
