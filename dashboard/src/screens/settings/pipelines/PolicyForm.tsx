/** The form for a trusted pipeline: where it runs, and what it can do. */
import { ApiProblem } from '../../../api/problem.ts'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Radios } from '../../../components/Choices.tsx'
import { NAME_LIMIT } from '../api-keys/key-draft.ts'
import { faultsInScope, scopeFaultsOf, shownFields } from '../api-keys/scope-draft.ts'
import { ScopeFields } from '../api-keys/ScopeFields.tsx'
import { SettingsForm } from '../../frame/SettingsForm.tsx'
import {
  changeToProvider,
  EMPTY_POLICY,
  isAnyRun,
  missingIn,
  type PolicyDraft,
  type Provider,
} from './policy-draft.ts'
import { PipelineFields } from './PipelineFields.tsx'

const PROVIDERS: readonly {
  readonly value: Provider
  readonly label: string
  readonly text: string
}[] = [
  { value: 'github', label: 'GitHub', text: 'Actions at github.com' },
  { value: 'gitlab', label: 'GitLab', text: 'gitlab.com or your own' },
  { value: 'other', label: 'Another issuer', text: 'OpenID Connect' },
]

const FIELDS = [
  'name',
  'issuer',
  'repository',
  'repository_id',
  'repository_owner_id',
  'branch',
  'environment',
  'subject',
]

interface PolicyFormProps {
  readonly draft: PolicyDraft
  readonly onChange: (draft: PolicyDraft) => void
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onSubmit: () => void
}

export function PolicyForm({ draft, onChange, isBusy, error, onSubmit }: PolicyFormProps) {
  const ownFaults = faultsInScope(draft)
  const missing = missingIn(draft) ?? Object.values(ownFaults)[0]
  const change = (part: Partial<PolicyDraft>) => onChange({ ...draft, ...part })
  const faultOf = (field: string) => (error instanceof ApiProblem ? error.of(field) : undefined)
  return (
    <SettingsForm
      submit={{ label: 'Trust Pipeline', busyLabel: 'Saving...' }}
      isDirty={JSON.stringify(draft) !== JSON.stringify(EMPTY_POLICY)}
      blockedBy={missing}
      isBusy={isBusy}
      error={error}
      fields={[...FIELDS, ...shownFields(error)]}
      onSubmit={onSubmit}
    >
      <Radios<Provider>
        legend="Where does it run?"
        className="choices-cards"
        choices={PROVIDERS}
        value={draft.provider}
        onChange={(provider) => change(changeToProvider(provider))}
      />
      <Field
        label="Name"
        name="name"
        autoFocus
        autoComplete="off"
        value={draft.name}
        error={faultOf('name')}
        help="Says what the pipeline does, such as “deploy”."
        inputProps={{ maxLength: NAME_LIMIT }}
        onChange={({ target }) => change({ name: target.value })}
      />
      <PipelineFields draft={draft} faultOf={faultOf} onChange={change} />
      {isAnyRun(draft) && (
        <Message tone="warn">
          <p>
            Every run of this repository is trusted, for all branches and tags. Enter a branch that
            you protect, or an environment.
          </p>
        </Message>
      )}
      <ScopeFields
        draft={draft}
        faults={{ ...scopeFaultsOf(error), ...ownFaults }}
        onChange={change}
      />
    </SettingsForm>
  )
}
