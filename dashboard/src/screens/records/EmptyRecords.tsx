import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { recordUsageQuery } from '../../api/records.ts'
import { type Preset, presetsOf } from './presets.ts'
import type { RecordPlace } from './record-place.ts'

interface EmptyRecordsProps {
  readonly place: RecordPlace
  /** Whether a record can be added. */
  readonly canAdd: boolean
  readonly onPreset: (preset: Preset) => void
}

const MEANINGS: Readonly<Record<RecordPlace['kind'], (apex: string) => string>> = {
  domain: (apex) =>
    `${apex} has no records yet. In addition to its addresses, you can add records at ${apex} and at names below it.`,
  zone: (apex) =>
    `The zone ${apex} has no records of yours yet. Addresses in it are domains; everything else is a record.`,
}

/** A place without records: what they are for, with the forms for the most frequent ones. */
export function EmptyRecords({ place, canAdd, onPreset }: EmptyRecordsProps) {
  const { data: usage } = useQuery(recordUsageQuery)
  const presets = usage === undefined ? [] : presetsOf(usage.record_types)
  return (
    <>
      <p>{MEANINGS[place.kind](place.apex)}</p>
      {canAdd && presets.length > 0 && (
        <ul className="record-presets" aria-label="Frequent records">
          {presets.map((preset) => (
            <li key={preset.id}>
              <button type="button" onClick={() => onPreset(preset)}>
                <span className="record-preset-title">
                  <Icon name="add" size={16} />
                  {preset.title}
                </span>
                <span className="muted">{preset.text}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface NoMatchProps {
  readonly onClear: () => void
}

export function NoMatch({ onClear }: NoMatchProps) {
  return (
    <>
      <p>No record matches the search and the type.</p>
      <button type="button" className="line-button fit" onClick={onClear}>
        Clear Search
      </button>
    </>
  )
}
