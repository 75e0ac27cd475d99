import { useEffect } from 'react'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Keys } from '../../components/Keys.tsx'
import type { Entry, Group } from './entries.ts'

/** The id of the element of an entry. */
export const optionId = (listId: string, { id }: Entry): string =>
  `${listId}-${id.replaceAll(/\W/g, '_')}`

interface OptionProps {
  readonly id: string
  readonly entry: Entry
  readonly isActive: boolean
  readonly onActive: (entry: Entry) => void
  readonly onChoose: (entry: Entry) => void
}

/** The focus stays in the search field, which handles the keys. */
function Option({ id, entry, isActive, onActive, onChoose }: OptionProps) {
  const { label, hint, icon, keys, isDisabled = false } = entry
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className="palette-option"
      aria-selected={isActive}
      aria-disabled={isDisabled}
      // Not when the list moves below a pointer that rests.
      onPointerMove={() => isActive || onActive(entry)}
      onClick={() => onChoose(entry)}
    >
      <Icon name={icon} />
      <span className="palette-label">{label}</span>
      {hint !== undefined && <span className="palette-hint muted">{hint}</span>}
      {keys !== undefined && <Keys {...keys} />}
    </div>
  )
}

interface ResultsProps {
  readonly id: string
  readonly groups: readonly Group[]
  readonly active: Entry | undefined
  readonly onActive: (entry: Entry) => void
  readonly onChoose: (entry: Entry) => void
}

/** The list of the palette, in groups. */
export function Results({ id, groups, active, onActive, onChoose }: ResultsProps) {
  const activeId = active && optionId(id, active)
  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView?.({ block: 'nearest' })
  }, [activeId])
  if (groups.length === 0) return null
  return (
    <div id={id} role="listbox" aria-label="Results">
      {groups.map(({ title, entries }) => (
        <div key={title} role="group" aria-label={title} className="palette-group">
          <div className="palette-title muted" aria-hidden="true">
            {title}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={optionId(id, entry)}
              entry={entry}
              isActive={entry === active}
              onActive={onActive}
              onChoose={onChoose}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
