import { counted } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { PastedLine } from './pasted-lines.ts'

interface LineListProps {
  readonly lines: readonly PastedLine[]
  /** Why lines cannot be added, by their number. */
  readonly faults: ReadonlyMap<number, string>
  /** Whether the service has checked the lines. */
  readonly isChecked: boolean
  readonly onRemove: () => void
}

function summaryOf(total: number, faulty: number, isChecked: boolean): string {
  if (faulty > 0) {
    return `${counted(faulty, 'line')} of ${total} cannot be added. Nothing is added until all lines can be.`
  }
  return isChecked ? 'All lines can be added.' : 'The lines are not checked yet.'
}

function Line({
  line,
  fault,
  isChecked,
}: {
  line: PastedLine
  fault?: string
  isChecked: boolean
}) {
  const { number, fqdn, addresses } = line
  return (
    <li value={number} data-state={fault === undefined ? (isChecked ? 'good' : 'new') : 'wrong'}>
      <span className="monospace">{fqdn}</span>{' '}
      <span className="muted monospace">{addresses.join(' ')}</span>
      {fault !== undefined && <span className="field-error">{fault}</span>}
      {fault === undefined && isChecked && (
        <span className="line-good">
          <Icon name="check" size={16} />
          Can be added
        </span>
      )}
    </li>
  )
}

/** The lines of a list, with the result of each. */
export function LineList({ lines, faults, isChecked, onRemove }: LineListProps) {
  return (
    <div className="lines">
      <p role="status">{summaryOf(lines.length, faults.size, isChecked)}</p>
      {faults.size > 0 && (
        <button type="button" className="text-button" onClick={onRemove}>
          Remove these lines
        </button>
      )}
      {/* It scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ol className="line-list" aria-label="Results" tabIndex={0}>
        {lines.map((line) => {
          const fault = faults.get(line.number)
          return (
            <Line
              key={line.number}
              line={line}
              {...(fault !== undefined && { fault })}
              isChecked={isChecked}
            />
          )
        })}
      </ol>
    </div>
  )
}
