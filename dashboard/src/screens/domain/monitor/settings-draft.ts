/** The settings of a monitor as the form has them, and the change that they make. */
import { MONITOR_LIMITS, type MonitorKind } from '@homing/openapi/vocabulary'
import type { Monitor, MonitorChange } from '../../../api/monitors.ts'

/** What is typed stays text. Empty means: the usual port, any text, no warning. */
export interface SettingsDraft {
  readonly kind: MonitorKind | null
  readonly port: string
  readonly path: string
  readonly expected_status: string
  readonly follows_redirects: boolean
  readonly body_text: string
  readonly address_family: Monitor['address_family']
  readonly certificate_warning_days: string
  readonly interval_seconds: number
  readonly confirmations: number
  readonly recoveries: number
  readonly heartbeat_source: Monitor['heartbeat_source']
  readonly heartbeat_period_seconds: string
  readonly heartbeat_grace_seconds: string
  readonly notifies_down: boolean
  readonly notifies_up: boolean
}

export type SettingsField = keyof SettingsDraft

const REQUEST = [
  'port',
  'path',
  'expected_status',
  'follows_redirects',
  'body_text',
  'address_family',
] as const
const REPEATED = ['interval_seconds', 'confirmations', 'recoveries'] as const
const MAILS = ['notifies_down', 'notifies_up'] as const

/** The fields of each kind, beside those of mails, which all have. */
const FIELDS: Readonly<Record<MonitorKind, readonly SettingsField[]>> = {
  https: [...REQUEST, 'certificate_warning_days', ...REPEATED],
  http: [...REQUEST, ...REPEATED],
  tcp: ['port', 'address_family', ...REPEATED],
  dns: REPEATED,
  heartbeat: ['heartbeat_source', 'heartbeat_period_seconds', 'heartbeat_grace_seconds'],
}

/** The fields that the form shows. */
export const fieldsOf = ({ kind }: Pick<SettingsDraft, 'kind'>): readonly SettingsField[] =>
  kind === null ? [] : [...FIELDS[kind], ...MAILS]

const textOf = (value: number | string | null): string => (value === null ? '' : String(value))

export const draftOf = (monitor: Monitor): SettingsDraft => ({
  kind: monitor.kind,
  port: textOf(monitor.port),
  path: monitor.path,
  expected_status: monitor.expected_status,
  follows_redirects: monitor.follows_redirects,
  body_text: textOf(monitor.body_text),
  address_family: monitor.address_family,
  certificate_warning_days: textOf(monitor.certificate_warning_days),
  interval_seconds: monitor.interval_seconds,
  confirmations: monitor.confirmations,
  recoveries: monitor.recoveries,
  heartbeat_source: monitor.heartbeat_source,
  heartbeat_period_seconds: textOf(monitor.heartbeat_period_seconds),
  heartbeat_grace_seconds: textOf(monitor.heartbeat_grace_seconds),
  notifies_down: monitor.notifies_down,
  notifies_up: monitor.notifies_up,
})

/** The whole numbers of the form, and their bounds. */
const NUMBERS = {
  port: [1, 65_535],
  certificate_warning_days: [1, MONITOR_LIMITS.certificate_warning_days],
  heartbeat_period_seconds: [30, MONITOR_LIMITS.heartbeat_period_max],
  heartbeat_grace_seconds: [0, MONITOR_LIMITS.heartbeat_grace_max],
} as const
type NumberField = keyof typeof NUMBERS

const isNumberField = (field: SettingsField): field is NumberField => field in NUMBERS
const CAN_BE_EMPTY: readonly SettingsField[] = ['port', 'certificate_warning_days', 'body_text']

/** What is wrong with a field; undefined if it is valid. The service checks the rest. */
export function faultOf(draft: SettingsDraft, field: SettingsField): string | undefined {
  if (field === 'path') {
    return draft.path.startsWith('/') ? undefined : 'A path begins with a slash, such as /health.'
  }
  if (field === 'expected_status') {
    return draft.expected_status.trim() === ''
      ? 'Enter statuses such as 200-399 or 200,401.'
      : undefined
  }
  if (!isNumberField(field)) return undefined
  const text = draft[field].trim()
  const [least, most] = NUMBERS[field]
  if (text === '' && CAN_BE_EMPTY.includes(field)) return undefined
  const isValid = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
  return isValid ? undefined : `Enter a number from ${least} to ${most}.`
}

/** The value of a field as the service has it. */
function valueOf(draft: SettingsDraft, field: SettingsField): unknown {
  const value = draft[field]
  if (typeof value !== 'string') return value
  const text = field === 'body_text' ? value : value.trim()
  if (text === '') return null
  return isNumberField(field) ? Number(text) : text
}

/** What the form changes: the fields of the kind whose values differ. */
export function changeOf(draft: SettingsDraft, seen: Monitor): MonitorChange {
  const changed = (['kind', ...fieldsOf(draft)] as const).filter(
    (field) => valueOf(draft, field) !== seen[field],
  )
  return Object.fromEntries(changed.map((field) => [field, valueOf(draft, field)]))
}

/** The intervals on offer, in seconds. */
const INTERVALS = [30, 60, 120, 300, 600, 900, 1_800, 3_600]

/** The intervals that the plan allows, and the present one. */
export function intervalsOf(current: number, shortest: number): readonly number[] {
  const allowed = INTERVALS.filter((seconds) => seconds > shortest)
  return [...new Set([...allowed, shortest, current])].toSorted((a, b) => a - b)
}
