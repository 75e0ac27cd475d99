/** The fields of a monitor: what it checks first, then only the fields of that kind. */
import { MONITOR_KINDS, MONITOR_LIMITS, type MonitorKind } from '@homing/openapi/vocabulary'
import { spanText } from '@homing/theme/formats'
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import type { ApiProblem } from '../../../api/problem.ts'
import { Radios } from '../../../components/Choices.tsx'
import { portOf } from '../../monitor/monitor-words.ts'
import {
  faultOf,
  fieldsOf,
  intervalsOf,
  type SettingsDraft,
  type SettingsField,
} from './settings-draft.ts'

const KIND_TEXTS: Readonly<Record<MonitorKind, readonly [string, string]>> = {
  https: ['HTTPS', 'Requests a page, and checks the certificate.'],
  http: ['HTTP', 'Requests a page.'],
  tcp: ['TCP port', 'Opens a connection, such as to SSH.'],
  dns: ['DNS', 'DNS answers with the registered address.'],
  heartbeat: ['Heartbeat', 'Waits for a sign of life, for machines that sleep.'],
}

interface FieldsProps {
  readonly draft: SettingsDraft
  /** The shortest interval of the plan, in seconds. */
  readonly shortest: number
  readonly problem: ApiProblem | undefined
  readonly onChange: (part: Partial<SettingsDraft>) => void
}

interface PartProps extends FieldsProps {
  /** The error of a field: what the form found, or what the service says. */
  readonly errorOf: (field: SettingsField) => string | undefined
}

const AS_TYPED = { spellCheck: false, autoCapitalize: 'none' } as const
const NUMERIC = { inputMode: 'numeric' } as const

function KindField({ draft, errorOf, onChange }: PartProps) {
  return (
    <Radios
      legend="What is checked"
      className="choices-cards monitor-kinds"
      value={draft.kind ?? undefined}
      error={errorOf('kind')}
      choices={MONITOR_KINDS.map((value) => {
        const [label, text] = KIND_TEXTS[value]
        return { value, label, text }
      })}
      onChange={(kind) => onChange({ kind })}
    />
  )
}

function PortField({ draft: { kind, port }, errorOf, onChange }: PartProps) {
  const usual = kind === null ? undefined : portOf(kind, null)
  return (
    <Field
      label="Port"
      name="port"
      autoComplete="off"
      value={port}
      placeholder={String(usual)}
      error={errorOf('port')}
      help={`Leave it empty for ${usual}.`}
      inputProps={NUMERIC}
      onChange={({ target }) => onChange({ port: target.value })}
    />
  )
}

function AddressField({ draft, onChange }: PartProps) {
  return (
    <Select
      label="Address"
      name="address_family"
      value={draft.address_family}
      choices={[
        ['auto', 'IPv4 if there is one, otherwise IPv6'],
        ['ipv4', 'IPv4'],
        ['ipv6', 'IPv6'],
      ]}
      help="The stored address of the domain to connect to."
      onChange={(address_family) => onChange({ address_family })}
    />
  )
}

/** How a response counts as up. */
function RequestFields({ draft, errorOf, onChange }: PartProps) {
  return (
    <>
      <Field
        label="Path"
        name="path"
        isMonospace
        autoComplete="off"
        value={draft.path}
        error={errorOf('path')}
        inputProps={{ maxLength: MONITOR_LIMITS.path, ...AS_TYPED }}
        onChange={({ target }) => onChange({ path: target.value })}
      />
      <Field
        label="Expected statuses"
        name="expected_status"
        isMonospace
        autoComplete="off"
        value={draft.expected_status}
        error={errorOf('expected_status')}
        help="Numbers and ranges, separated by commas: 200-399 or 200,401."
        inputProps={{ maxLength: MONITOR_LIMITS.expected_status, ...AS_TYPED }}
        onChange={({ target }) => onChange({ expected_status: target.value })}
      />
      <CheckField
        name="follows_redirects"
        isChecked={draft.follows_redirects}
        help="At most three. Otherwise the status of the redirect counts."
        onChange={(follows_redirects) => onChange({ follows_redirects })}
      >
        Follow redirects
      </CheckField>
      <Field
        label="Text that the page must contain (optional)"
        name="body_text"
        autoComplete="off"
        value={draft.body_text}
        error={errorOf('body_text')}
        inputProps={{ maxLength: MONITOR_LIMITS.body_text, dir: 'auto' }}
        onChange={({ target }) => onChange({ body_text: target.value })}
      />
    </>
  )
}

function HeartbeatFields({ draft, errorOf, onChange }: PartProps) {
  const { heartbeat_period_seconds: period } = draft
  const length = errorOf('heartbeat_period_seconds') === undefined ? Number(period) : undefined
  return (
    <>
      <Select
        label="Sign of life"
        name="heartbeat_source"
        value={draft.heartbeat_source}
        choices={[
          ['url', 'Calls of the heartbeat URL'],
          ['updates', 'Dynamic updates of the domain'],
        ]}
        help={
          draft.heartbeat_source === 'url'
            ? 'You create the URL after you have saved.'
            : 'Every update call of your router counts, also if the address stays the same.'
        }
        onChange={(heartbeat_source) => onChange({ heartbeat_source })}
      />
      <Field
        label="Expected every (seconds)"
        name="heartbeat_period_seconds"
        autoComplete="off"
        value={period}
        error={errorOf('heartbeat_period_seconds')}
        help={length === undefined ? undefined : `Every ${spanText(length)}.`}
        inputProps={NUMERIC}
        onChange={({ target }) => onChange({ heartbeat_period_seconds: target.value })}
      />
      <Field
        label="May be late by (seconds)"
        name="heartbeat_grace_seconds"
        autoComplete="off"
        value={draft.heartbeat_grace_seconds}
        error={errorOf('heartbeat_grace_seconds')}
        inputProps={NUMERIC}
        onChange={({ target }) => onChange({ heartbeat_grace_seconds: target.value })}
      />
    </>
  )
}

const times = (most: number) =>
  Array.from({ length: most }, (_, n) => [`${n + 1}`, `${n + 1}`] as const)

function RepeatFields({ draft, shortest, onChange }: PartProps) {
  return (
    <>
      <Select
        label="Check every"
        name="interval_seconds"
        value={`${draft.interval_seconds}`}
        choices={intervalsOf(draft.interval_seconds, shortest).map(
          (seconds) => [`${seconds}`, spanText(seconds)] as const,
        )}
        help={`Your plan allows ${spanText(shortest)} or more.`}
        onChange={(seconds) => onChange({ interval_seconds: Number(seconds) })}
      />
      <div className="choices-row">
        <Select
          label="Down after failed checks"
          name="confirmations"
          value={`${draft.confirmations}`}
          choices={times(MONITOR_LIMITS.confirmations)}
          onChange={(count) => onChange({ confirmations: Number(count) })}
        />
        <Select
          label="Up after successful checks"
          name="recoveries"
          value={`${draft.recoveries}`}
          choices={times(MONITOR_LIMITS.recoveries)}
          onChange={(count) => onChange({ recoveries: Number(count) })}
        />
      </div>
    </>
  )
}

function MailFields({ draft, errorOf, onChange }: PartProps) {
  return (
    <fieldset className="choices">
      <legend>Send mail</legend>
      <CheckField
        name="notifies_down"
        isChecked={draft.notifies_down}
        onChange={(notifies_down) => onChange({ notifies_down })}
      >
        When it is down
      </CheckField>
      <CheckField
        name="notifies_up"
        isChecked={draft.notifies_up}
        onChange={(notifies_up) => onChange({ notifies_up })}
      >
        When it is up again
      </CheckField>
      {draft.kind === 'https' && (
        <Field
          label="Days before its certificate expires"
          name="certificate_warning_days"
          autoComplete="off"
          value={draft.certificate_warning_days}
          error={errorOf('certificate_warning_days')}
          help="Leave it empty for no mail."
          inputProps={NUMERIC}
          onChange={({ target }) => onChange({ certificate_warning_days: target.value })}
        />
      )}
    </fieldset>
  )
}

export function SettingsFields(props: FieldsProps) {
  const { draft, problem } = props
  const fields = fieldsOf(draft)
  const has = (field: SettingsField) => fields.includes(field)
  const errorOf = (field: SettingsField) => faultOf(draft, field) ?? problem?.of(field)
  const part = { ...props, errorOf }
  return (
    <>
      <KindField {...part} />
      {has('port') && <PortField {...part} />}
      {has('path') && <RequestFields {...part} />}
      {has('address_family') && <AddressField {...part} />}
      {has('heartbeat_source') && <HeartbeatFields {...part} />}
      {has('interval_seconds') && <RepeatFields {...part} />}
      {has('notifies_down') && <MailFields {...part} />}
    </>
  )
}
