/** The fields of a web forward, with the results of what is entered. */
import { counted } from '@homing/theme/formats'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { ReactNode } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import type { WebForward, WebForwardUsage } from '../../api/web-forwards.ts'
import { Radios } from '../../components/Choices.tsx'
import { FORWARD_TEXT_LIMITS, type ForwardDraft } from './forward-draft.ts'
import { STATUS_CODES, STATUS_HINTS } from './forward-words.ts'
import { LocationPreview } from './LocationPreview.tsx'
import { StealthFields } from './StealthFields.tsx'
import { TargetCheckPanel } from './TargetCheckPanel.tsx'

interface ForwardFieldsProps {
  readonly draft: ForwardDraft
  /** The domain that is forwarded; undefined until it is chosen. */
  readonly fqdn: string | undefined
  readonly usage: WebForwardUsage
  /** The forward that is edited. */
  readonly former?: WebForward
  readonly problem: ApiProblem | undefined
  /** The field for the domain of a new forward. */
  readonly domainField?: ReactNode
  readonly onChange: (part: Partial<ForwardDraft>) => void
}

interface TypeFieldProps {
  readonly value: ForwardDraft['forwarding_type']
  readonly usage: WebForwardUsage
  readonly former: WebForward | undefined
  readonly error: string | undefined
  readonly onChange: (part: Partial<ForwardDraft>) => void
}

/** A stealth forward keeps its flag, so editing one needs none. */
function TypeField({ value, usage, former, error, onChange }: TypeFieldProps) {
  const { max_stealth_flags: flags, remaining_stealth_flags: left } = usage
  const isOut = left === 0 && former?.forwarding_type !== 'stealth'
  const used = `All ${counted(flags, 'stealth flag')} of your plan are used.`
  return (
    <Radios
      legend="Type"
      className="choices-cards"
      value={value}
      error={error}
      choices={[
        { value: 'redirect', label: 'Redirect', text: 'The browser goes to the target.' },
        {
          value: 'stealth',
          label: 'Stealth',
          text: isOut ? used : 'Your domain stays in the address bar.',
          isDisabled: isOut,
        },
      ]}
      onChange={(forwarding_type) => onChange({ forwarding_type })}
    />
  )
}

function CodeField({ draft, onChange }: Pick<ForwardFieldsProps, 'draft' | 'onChange'>) {
  const { status_code, forwarding_type } = draft
  const purpose =
    forwarding_type === 'stealth' ? 'Used if the target cannot be shown in a frame. ' : ''
  return (
    <Select
      label="Status code"
      name="status_code"
      value={`${status_code}`}
      choices={STATUS_CODES}
      help={purpose + STATUS_HINTS[status_code]}
      onChange={(code) => onChange({ status_code: Number(code) as ForwardDraft['status_code'] })}
    />
  )
}

export function ForwardFields(props: ForwardFieldsProps) {
  const { draft, fqdn, usage, former, problem, domainField, onChange } = props
  const errorOf = (field: string) => problem?.of(field)
  return (
    <>
      {domainField}
      <Field
        label="Target URL"
        name="target_url"
        type="url"
        isMonospace
        autoFocus={domainField === undefined}
        autoComplete="off"
        value={draft.target_url}
        error={errorOf('target_url')}
        help="A full URL such as https://www.example.com/start, or a host, which becomes https."
        inputProps={{
          maxLength: FORWARD_TEXT_LIMITS.target_url,
          spellCheck: false,
          autoCapitalize: 'none',
        }}
        onChange={({ target }) => onChange({ target_url: target.value })}
      />
      <TargetCheckPanel draft={draft} />
      <TypeField
        value={draft.forwarding_type}
        usage={usage}
        former={former}
        error={errorOf('forwarding_type')}
        onChange={onChange}
      />
      <CodeField draft={draft} onChange={onChange} />
      <CheckField
        name="forward_path"
        isChecked={draft.forward_path}
        onChange={(forward_path) => onChange({ forward_path })}
      >
        Keep the path
      </CheckField>
      <CheckField
        name="forward_query"
        isChecked={draft.forward_query}
        onChange={(forward_query) => onChange({ forward_query })}
      >
        Keep the query
      </CheckField>
      <LocationPreview fqdn={fqdn} draft={draft} />
      {draft.forwarding_type === 'stealth' && (
        <StealthFields draft={draft} fqdn={fqdn} errorOf={errorOf} onChange={onChange} />
      )}
      <CheckField
        name="is_active"
        isChecked={draft.is_active}
        help="Without it, the forward is kept and DNS answers with the domain’s own addresses."
        onChange={(is_active) => onChange({ is_active })}
      >
        Active
      </CheckField>
    </>
  )
}
