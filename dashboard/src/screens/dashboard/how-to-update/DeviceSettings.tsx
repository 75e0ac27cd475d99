/** What to enter in one device, in its own order and words. */
import {
  type Device,
  type DeviceField,
  deviceOf,
  fillIn,
  holdsToken,
  type UpdateSettings,
} from '@homing/openapi/devices'
import { useState } from 'react'
import { CopyLine } from './CopyLine.tsx'
import { FileBlock } from './FileBlock.tsx'
import { InlineCode } from './InlineCode.tsx'

interface FieldLineProps {
  readonly field: DeviceField
  readonly settings: UpdateSettings
}

function FieldLine({ field: { label, value, isChoice }, settings }: FieldLineProps) {
  const isUnknown = holdsToken(value) && settings.token === undefined
  if (isChoice !== true && !isUnknown)
    return <CopyLine label={label} text={fillIn(value, settings)} />
  return (
    <div className="copy-line">
      <dt>{label}</dt>
      <dd>{isUnknown ? 'the update token' : fillIn(value, settings)}</dd>
    </div>
  )
}

const FAMILIES = [
  [false, 'IPv4'],
  [true, 'IPv4 and IPv6'],
] as const

interface FamilyChoiceProps {
  readonly isDual: boolean
  readonly onChange: (isDual: boolean) => void
}

function FamilyChoice({ isDual, onChange }: FamilyChoiceProps) {
  return (
    <div className="chips" role="group" aria-label="Address families">
      {FAMILIES.map(([isOfBoth, label]) => (
        <button
          key={label}
          type="button"
          className="chip"
          aria-pressed={isDual === isOfBoth}
          onClick={() => onChange(isOfBoth)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

interface DeviceSettingsProps {
  readonly device: Device
  readonly settings: UpdateSettings
  readonly onDevice: (id: string) => void
}

export function DeviceSettings({ device, settings, onDevice }: DeviceSettingsProps) {
  const { name, menu, setup, dualSetup, notes, instead = [] } = device
  const [isDual, setDual] = useState(false)
  const shown = isDual ? (dualSetup ?? setup) : setup
  const { fields = [], files = [] } = shown ?? {}
  return (
    <section className="device" aria-label={name}>
      <div className="device-head">
        <h3>{name}</h3>
        {setup && (
          <button type="button" className="text-button" onClick={() => print()}>
            Print
          </button>
        )}
      </div>
      {menu !== undefined && <p className="muted">{menu}</p>}
      {dualSetup && <FamilyChoice isDual={isDual} onChange={setDual} />}
      {fields.length > 0 && (
        <dl>
          {fields.map((field) => (
            <FieldLine key={field.label} field={field} settings={settings} />
          ))}
        </dl>
      )}
      {files.map((file) => (
        <FileBlock key={file.name} file={file} settings={settings} />
      ))}
      <ul className="notes">
        {notes.map((note) => (
          <li key={note}>
            <InlineCode text={fillIn(note, settings)} />
          </li>
        ))}
      </ul>
      {instead.length > 0 && (
        <div className="chips" role="group" aria-label={`Instead of ${name}`}>
          {instead.map((id) => (
            <button key={id} type="button" className="chip" onClick={() => onDevice(id)}>
              {deviceOf(id)?.name}
            </button>
          ))}
        </div>
      )}
    </section>
  )
}
