import { Field } from '@homing/theme/parts/Field.tsx'
import type { PolicyDraft, Provider } from './policy-draft.ts'

interface PipelineFieldsProps {
  readonly draft: PolicyDraft
  readonly faultOf: (field: string) => string | undefined
  readonly onChange: (change: Partial<PolicyDraft>) => void
}

/** The fields of a draft that are one line of text. */
type TextName =
  | 'issuer'
  | 'repository'
  | 'repositoryId'
  | 'ownerId'
  | 'branch'
  | 'environment'
  | 'subject'

interface TextField {
  readonly name: TextName
  /** In the contract. */
  readonly field: string
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly maxLength: number
}

const REPOSITORY: TextField = {
  name: 'repository',
  field: 'repository',
  label: 'Repository',
  placeholder: 'owner/name',
  maxLength: 300,
}
const BRANCH: TextField = {
  name: 'branch',
  field: 'branch',
  label: 'Branch (optional)',
  help: 'Only runs for this branch. Tags and merge requests do not match.',
  maxLength: 300,
}
const ENVIRONMENT: TextField = {
  name: 'environment',
  field: 'environment',
  label: 'Environment (optional)',
  help: 'Only runs that deploy to this environment.',
  placeholder: 'production',
  maxLength: 300,
}
const ISSUER: TextField = {
  name: 'issuer',
  field: 'issuer',
  label: 'Issuer',
  placeholder: 'https://ci.example.net',
  maxLength: 500,
}
const SUBJECT: TextField = {
  name: 'subject',
  field: 'subject',
  label: 'Subject',
  help: 'The exact value of the token’s sub claim.',
  maxLength: 1000,
}

const FIELDS_OF: Readonly<Record<Provider, readonly TextField[]>> = {
  github: [REPOSITORY, BRANCH, ENVIRONMENT],
  gitlab: [
    { ...ISSUER, label: 'GitLab server', help: 'The URL of your own server, or gitlab.com.' },
    { ...REPOSITORY, label: 'Project', placeholder: 'group/project' },
    BRANCH,
    ENVIRONMENT,
  ],
  other: [{ ...ISSUER, help: 'The value of the token’s iss claim: an https URL.' }, SUBJECT],
}

const IDS: readonly TextField[] = [
  {
    name: 'repositoryId',
    field: 'repository_id',
    label: 'Repository ID (optional)',
    maxLength: 64,
  },
  { name: 'ownerId', field: 'repository_owner_id', label: 'Owner ID (optional)', maxLength: 64 },
]

/** The fields that say which pipelines of the provider are trusted. */
export function PipelineFields({ draft, faultOf, onChange }: PipelineFieldsProps) {
  const field = ({ name, field: known, label, help, placeholder, maxLength }: TextField) => (
    <Field
      key={name}
      label={label}
      name={known}
      isMonospace
      autoComplete="off"
      value={draft[name]}
      error={faultOf(known)}
      help={help}
      {...(placeholder !== undefined && { placeholder })}
      inputProps={{ maxLength, spellCheck: false, autoCapitalize: 'none' }}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
  return (
    <>
      {FIELDS_OF[draft.provider].map(field)}
      {draft.provider !== 'other' && (
        <details className="more-fields">
          <summary>Fix the repository by its ID</summary>
          <div>
            <p className="field-help">
              IDs are never used again, but names are: somebody can take over a name that you gave
              up. Without IDs, the first run that matches fixes them.
            </p>
            {IDS.map(field)}
          </div>
        </details>
      )}
    </>
  )
}
