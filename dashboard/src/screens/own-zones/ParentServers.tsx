import { counted } from '@homing/theme/formats'
import type { DelegationCheck, ParentServerAnswer } from '../../api/own-zones.ts'
import { Mark } from './Mark.tsx'
import { OUTCOME_LOOKS, zoneText } from './zone-words.ts'

const TRANSPORTS = { udp: 'UDP', tcp: 'TCP' } as const

function List({ title, values }: { readonly title: string; readonly values: readonly string[] }) {
  if (values.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      {values.map((value) => (
        <dd key={value} className="monospace">
          {value}
        </dd>
      ))}
    </div>
  )
}

function Answer({ answer }: { readonly answer: ParentServerAnswer }) {
  const { server, address, transport, outcome, message, nameservers, glue, has_ds } = answer
  return (
    <li className="own-fact">
      <div className="own-fact-head">
        <h3 className="monospace">{server}</h3>
        <Mark look={OUTCOME_LOOKS[outcome]} />
      </div>
      <p className="muted">
        <span className="monospace">{address}</span>
        {transport !== null && `, over ${TRANSPORTS[transport]}`}
        {has_ds && ', has a DS record'}
      </p>
      <p>{message}</p>
      {nameservers.length + glue.length > 0 && (
        <dl className="own-compared">
          <List title="Name servers" values={nameservers} />
          <List title="Glue" values={glue} />
        </dl>
      )}
    </li>
  )
}

/** The response of each parent name server, for who wants to see it. */
export function ParentServers({ check }: { readonly check: DelegationCheck }) {
  const { parent_zone, parent_servers } = check
  if (parent_zone === null) {
    return <p className="muted">The parent zone was not found, so none of its servers was asked.</p>
  }
  const name = zoneText(parent_zone)
  return (
    <details className="own-details">
      <summary>
        Responses of the {counted(parent_servers.length, 'server')} of {name}
      </summary>
      <ul className="own-facts" aria-label={`Answers of the servers of ${name}`}>
        {parent_servers.map((answer) => (
          <Answer key={`${answer.server} ${answer.address}`} answer={answer} />
        ))}
      </ul>
    </details>
  )
}
