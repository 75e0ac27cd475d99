/** What the last check of the delegation found: its facts, and the answer of each server of the parent zone. */
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import QuestionMarkOutlined from '@mui/icons-material/QuestionMarkOutlined'
import WarningAmberOutlined from '@mui/icons-material/WarningAmberOutlined'
import { ColumnTitles } from '@homing/theme/parts/ColumnTitles.tsx'
import { timeText } from '@homing/theme/formats'
import type { ReactNode } from 'react'
import type { AdminOwnZone } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

type Check = NonNullable<AdminOwnZone['last_check']>

const STATES = {
  right: { label: 'Right', tone: 'ok', icon: CheckCircleOutlined },
  incomplete: { label: 'Incomplete', tone: 'warn', icon: WarningAmberOutlined },
  wrong: { label: 'Wrong', tone: 'error', icon: ErrorOutlined },
  unknown: { label: 'Not checked', tone: 'plain', icon: QuestionMarkOutlined },
} as const satisfies Record<Check['facts'][number]['state'], object>

const NAMES = {
  delegated: 'Delegation',
  names: 'Name servers',
  glue: 'Glue records',
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  authoritative: 'Authoritative answers',
  'no-ds': 'No DS record',
} as const satisfies Record<Check['facts'][number]['fact'], string>

const OUTCOMES = {
  delegates: 'delegates',
  'does-not-delegate': 'does not delegate',
  lame: 'does not serve the zone',
  'no-answer': 'no answer',
} as const satisfies Record<Check['parent_servers'][number]['outcome'], string>

interface CheckTableProps {
  readonly caption: string
  readonly titles: readonly [string, string, string]
  readonly rows: readonly {
    readonly key: string
    readonly cells: readonly [ReactNode, ReactNode, ReactNode]
  }[]
}

/** A table of what was checked, how it was found, and the details. */
function CheckTable({ caption, titles, rows }: CheckTableProps) {
  const [subject, outcome, details] = titles
  return (
    <div className="records-frame">
      <table role="table" className="records">
        <caption className="visually-hidden">{caption}</caption>
        <ColumnTitles titles={titles} />
        <tbody role="rowgroup">
          {rows.map(({ key, cells }) => (
            <tr key={key} role="row">
              <td role="cell" data-label={subject}>
                {cells[0]}
              </td>
              <td role="cell" data-label={outcome} data-phone="corner">
                {cells[1]}
              </td>
              <td role="cell" data-label={details} data-phone="whole" className="breakable">
                {cells[2]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FactTable({ check }: { check: Check }) {
  const rows = check.facts.map(({ fact, state, message }) => {
    const { label, tone, icon } = STATES[state]
    const mark = (
      <Mark tone={tone} icon={icon}>
        {label}
      </Mark>
    )
    return { key: fact, cells: [NAMES[fact], mark, message] as const }
  })
  return (
    <CheckTable caption="Facts of the last check" titles={['Fact', 'State', 'Found']} rows={rows} />
  )
}

function ParentTable({ servers }: { servers: Check['parent_servers'] }) {
  const rows = servers.map(({ server, address, transport, outcome, message }) => {
    const asked = (
      <>
        <span className="monospace breakable">{server}</span>
        <span className="second-line">
          {address}
          {transport !== null && `, ${transport.toUpperCase()}`}
        </span>
      </>
    )
    return { key: `${server} ${address}`, cells: [asked, OUTCOMES[outcome], message] as const }
  })
  return (
    <CheckTable
      caption="Answers of the parent zone"
      titles={['Server', 'Outcome', 'Answer']}
      rows={rows}
    />
  )
}

export function CheckPanel({ check }: { check: Check | null }) {
  return (
    <section className="check-panel" aria-labelledby="check-title">
      <h2 id="check-title">Last check</h2>
      {check === null ? (
        <p className="panel-text">The delegation was not checked yet.</p>
      ) : (
        <>
          <p className="panel-text">
            {timeText(check.checked_at)}, {check.duration_ms} ms, parent zone{' '}
            {check.parent_zone ?? 'not found'}.
          </p>
          <FactTable check={check} />
          <h3>Servers of the parent zone</h3>
          {check.parent_servers.length === 0 ? (
            <p className="panel-text">No server was asked.</p>
          ) : (
            <ParentTable servers={check.parent_servers} />
          )}
        </>
      )}
    </section>
  )
}
