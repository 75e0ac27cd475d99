/** The form for a key: its name, scope and lifetime, and what they mean in words. */
import { dayText } from '@homing/theme/formats'
import { Field } from '@homing/theme/parts/Field.tsx'
import { ApiProblem } from '../../../api/problem.ts'
import { SettingsForm } from '../../frame/SettingsForm.tsx'
import { ExpiryFields } from './ExpiryFields.tsx'
import { endOf, faultsInKey, type KeyDraft, NAME_LIMIT } from './key-draft.ts'
import { faultsInScope, scopeFaultsOf, scopeOf, shownFields } from './scope-draft.ts'
import { scopeSentences } from './scope-text.ts'
import { PresetField, ScopeFields } from './ScopeFields.tsx'

interface KeyFormProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
  readonly submit: {
    readonly label: string
    readonly busyLabel: string
    readonly failure?: string
  }
  /** Whether there is something to save. */
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly error: Error | null
  /** What loses the draft: leaving the section, or also closing the panel. */
  readonly guard: 'section' | 'dialog'
  readonly onSubmit: () => void
}

/** The key in words, so that the user sees what a choice means. */
function Summary({ draft }: { readonly draft: KeyDraft }) {
  const end = endOf(draft, Date.now())
  const isEndless = draft.expiry === 'never' && draft.unusedDays === ''
  const sentences = [
    ...(draft.actions.length === 0 ? [] : scopeSentences(scopeOf(draft))),
    ...(end === null ? [] : [`Expires on ${dayText(end)}.`]),
    ...(isEndless ? ['Never expires.'] : []),
  ]
  return (
    <div className="key-summary">
      <span className="key-summary-title">This key</span>
      <output>{sentences.join(' ')}</output>
    </div>
  )
}

/** What is wrong, by field: the user's mistakes, and what the service found. `missing` is what the user must do first. */
function faultsOf(draft: KeyDraft, error: Error | null) {
  const problem = error instanceof ApiProblem ? error : undefined
  const own = faultsInKey(draft)
  const ownScope = faultsInScope(draft)
  return {
    missing: Object.values<string>({ ...own, ...ownScope })[0],
    name: problem?.of('name'),
    end: own.lastDay ?? problem?.of('expires_at', 'unused_days'),
    scope: { ...scopeFaultsOf(error), ...ownScope },
  }
}

const OWN_FIELDS = ['name', 'expires_at', 'unused_days']

export function KeyForm(props: KeyFormProps) {
  const { draft, onChange, submit, isChanged, isBusy, error, guard, onSubmit } = props
  const faults = faultsOf(draft, error)
  const change = (part: Partial<KeyDraft>) => onChange({ ...draft, ...part })
  return (
    <SettingsForm
      submit={submit}
      isDirty={isChanged}
      blockedBy={faults.missing}
      isBusy={isBusy}
      error={error}
      fields={[...OWN_FIELDS, ...shownFields(error)]}
      guard={guard}
      onSubmit={onSubmit}
    >
      <Field
        label="Name"
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        error={faults.name}
        help="Says where you use the key, such as “router at home”."
        inputProps={{ maxLength: NAME_LIMIT }}
        onChange={({ target }) => change({ name: target.value })}
      />
      <PresetField draft={draft} onChange={change} />
      <ScopeFields draft={draft} faults={faults.scope} onChange={change} />
      <ExpiryFields draft={draft} error={faults.end} onChange={change} />
      <Summary draft={draft} />
    </SettingsForm>
  )
}
