/** What updates the domain: a search over the devices, and the settings of the chosen one. */
import { DEVICES, deviceOf, findDevices, type UpdateSettings } from '@homing/openapi/devices'
import { useState } from 'react'
import { Field } from '@homing/theme/parts/Field.tsx'
import { useDialogPart } from '../../../dialog-url.ts'
import { DeviceSettings } from './DeviceSettings.tsx'

/** The most common devices, which are shown before the user searches. */
const FIRST = 11

export function DevicePicker({ settings }: { readonly settings: UpdateSettings }) {
  const [chosen, choose] = useDialogPart()
  const [search, setSearch] = useState('')
  const [isWhole, setWhole] = useState(false)
  const device = chosen === undefined ? undefined : deviceOf(chosen)
  const found = findDevices(search)
  const isCut = search.trim() === '' && !isWhole
  const shown = isCut ? found.filter((each, n) => n < FIRST || each === device) : found
  return (
    <section className="picker" aria-label="Devices">
      <Field
        label="What updates this domain?"
        type="search"
        autoComplete="off"
        placeholder="Router, NAS or program"
        value={search}
        inputProps={{ maxLength: 100, spellCheck: false }}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="chips" role="group" aria-label="Devices and programs">
        {shown.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="chip"
            aria-pressed={id === device?.id}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
        {isCut && (
          <button type="button" className="text-button" onClick={() => setWhole(true)}>
            Show All {DEVICES.length}
          </button>
        )}
      </div>
      {found.length === 0 && (
        <p role="status">
          No device matches “{search.trim()}”.{' '}
          <button type="button" className="text-button" onClick={() => choose('router')}>
            Show the settings for any router
          </button>
        </p>
      )}
      {device && (
        <DeviceSettings key={device.id} device={device} settings={settings} onDevice={choose} />
      )}
    </section>
  )
}
