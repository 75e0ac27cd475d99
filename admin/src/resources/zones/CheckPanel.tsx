/** What the last check of the delegation found: its facts, and the answer of each server of the parent zone. */
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import QuestionMarkOutlined from '@mui/icons-material/QuestionMarkOutlined'
import { timeText } from '@homing/theme/formats'
import type { AdminOwnZone } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

type Check = NonNullable<AdminOwnZone['last_check']>

const STATES = {
  right: { label: 'Right', tone: 'ok', icon: CheckCircleOutlined },
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

function FactTable({ check }: { check: Check }) {
  return (
    <div className="records-frame">
      <table role="table" className="records">
        <caption className="visually-hidden">Facts of the last check</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Fact', 'State', 'Found'].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {check.facts.map(({ fact, state, message }) => {
            const { label, tone, icon } = STATES[state]
            return (
              <tr key={fact} role="row">
                <td role="cell" data-label="Fact">
                  {NAMES[fact]}
                </td>
                <td role="cell" data-label="State" data-phone="corner">
                  <Mark tone={tone} icon={icon}>
                    {label}
                  </Mark>
                </td>
                <td role="cell" data-label="Found" data-phone="whole" className="breakable">
                  {message}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function ParentTable({ servers }: { servers: Check['parent_servers'] }) {
  return (
    <div className="records-frame">
      <table role="table" className="records">
        <caption className="visually-hidden">Answers of the parent zone</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['Server', 'Outcome', 'Answer'].map((title) => (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {servers.map(({ server, address, transport, outcome, message }) => (
            <tr key={`${server} ${address}`} role="row">
              <td role="cell" data-label="Server">
                <span className="monospace breakable">{server}</span>
                <span className="second-line">
                  {address}
                  {transport !== null && `, ${transport.toUpperCase()}`}
                </span>
              </td>
              <td role="cell" data-label="Outcome" data-phone="corner">
                {OUTCOMES[outcome]}
              </td>
              <td role="cell" data-label="Answer" data-phone="whole" className="breakable">
                {message}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
