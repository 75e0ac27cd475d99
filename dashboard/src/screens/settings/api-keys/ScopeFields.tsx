/** The fields for the scope of a key: what it can do, on which domains, from where. */
import { KEY_ACTIONS, type KeyAction, SCOPE_RECORD_TYPES } from '@homing/openapi/vocabulary'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Checkboxes, Radios } from '../../../components/Choices.tsx'
import {
  PRESETS,
  type PresetName,
  presetOf,
  type ScopeDraft,
  type ScopeFaults,
} from './scope-draft.ts'

interface ScopeFieldsProps {
  readonly draft: ScopeDraft
  readonly faults: ScopeFaults
  readonly onChange: (change: Partial<ScopeDraft>) => void
}

const ACTION_LABELS: Readonly<Record<KeyAction, string>> = {
  read: 'Read',
  update: 'Update',
  create: 'Create',
  delete: 'Delete',
}

const ACTIONS = KEY_ACTIONS.map((value) => ({ value, label: ACTION_LABELS[value] }))

/** A router sets addresses. The other types are records. */
const ADDRESS_LABELS: Readonly<Record<string, string>> = { A: 'A (IPv4)', AAAA: 'AAAA (IPv6)' }

const TYPES = SCOPE_RECORD_TYPES.map((value) => ({ value, label: ADDRESS_LABELS[value] ?? value }))

const PRESET_CHOICES = PRESETS.map(({ name, title, text }) => ({ value: name, label: title, text }))

const LINES = { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } as const

export function PresetField({ draft, onChange }: Omit<ScopeFieldsProps, 'faults'>) {
  return (
    <Radios<PresetName>
      legend="What is it for?"
      className="choices-cards"
      choices={PRESET_CHOICES}
      value={presetOf(draft)}
      onChange={(name) => {
        const preset = PRESETS.find((each) => each.name === name)
        if (preset) onChange({ actions: preset.actions, recordTypes: preset.recordTypes })
      }}
    />
  )
}

export function ScopeFields({ draft, faults, onChange }: ScopeFieldsProps) {
  return (
    <>
      <Field
        label="Domains (optional)"
        name="domains"
        isMonospace
        multiline
        autoComplete="off"
        placeholder="home.example.net"
        value={draft.domains}
        error={faults.domains}
        help="One on each line. *.example.net matches every domain below example.net. Leave empty to include all current and future domains."
        inputProps={LINES}
        onChange={({ target }) => onChange({ domains: target.value })}
      />
      <Checkboxes
        legend="Actions"
        choices={ACTIONS}
        chosen={draft.actions}
        error={faults.actions}
        onChange={(actions) => onChange({ actions })}
      />
      <Checkboxes
        legend="Record types that it can set"
        choices={TYPES}
        chosen={draft.recordTypes}
        error={faults.record_types}
        help="With all of them, it can also set types that are not in this list."
        onChange={(recordTypes) => onChange({ recordTypes })}
      />
      <Field
        label="Networks (optional)"
        name="networks"
        isMonospace
        multiline
        autoComplete="off"
        placeholder="203.0.113.0/24"
        value={draft.networks}
        error={faults.networks}
        help="Addresses and networks that can use it, one on each line. Empty: every network."
        inputProps={LINES}
        onChange={({ target }) => onChange({ networks: target.value })}
      />
    </>
  )
}
