/** What the last check of a delegation found: the seven facts, and the answer of each server of the parent zone. */
import { ageText, timeText } from '@homing/theme/formats'
import { useNow } from '@homing/theme/parts/use-now.ts'
import type { DelegationCheck, DelegationFact, OwnZone } from '../../api/own-zones.ts'
import { Mark } from './Mark.tsx'
import { ParentServers } from './ParentServers.tsx'
import { dueText, FACT_LOOKS, FACT_TITLES } from './zone-words.ts'

const MINUTE_MS = 60_000

function Values({ title, values }: { readonly title: string; readonly values: readonly string[] }) {
  return (
    <div>
      <dt>{title}</dt>
      {values.length === 0 ? (
        <dd className="muted">Nothing</dd>
      ) : (
        values.map((value) => (
          <dd key={value} className="monospace">
            {value}
          </dd>
        ))
      )}
    </div>
  )
}

/** A right fact needs no comparison. */
function Fact({ fact }: { readonly fact: DelegationFact }) {
  const { expected, found, state, message } = fact
  const isCompared =
    (state === 'wrong' || state === 'incomplete') && expected.length + found.length > 0
  return (
    <li className="own-fact">
      <div className="own-fact-head">
        <h3>{FACT_TITLES[fact.fact]}</h3>
        <Mark look={FACT_LOOKS[state]} />
      </div>
      <p>{message}</p>
      {isCompared && (
        <dl className="own-compared">
          <Values title="Expected" values={expected} />
          <Values title="Found" values={found} />
        </dl>
      )}
    </li>
  )
}

interface CheckProps {
  readonly zone: OwnZone
}

/** When the zone was checked and will be, and that nobody has to wait for it. */
export function CheckTimes({ zone: { next_check_at, state, last_check: check } }: CheckProps) {
  const nowMs = useNow(MINUTE_MS)
  const isGreen = state === 'active' && check?.is_right === true
  return (
    <p className="muted">
      {check !== null && (
        <>
          Last check:{' '}
          <time dateTime={check.checked_at} title={timeText(check.checked_at)}>
            {ageText(check.checked_at, nowMs)}
          </time>
          , took {check.duration_ms} ms.{' '}
        </>
      )}
      {next_check_at !== null && (
        <>
          Next automatic check:{' '}
          <time dateTime={next_check_at} title={timeText(next_check_at)}>
            {dueText(next_check_at, nowMs)}
          </time>
          .{' '}
        </>
      )}
      {isGreen ? 'We mail you if it breaks.' : 'We mail you when it turns green.'}
    </p>
  )
}

const isComplete = ({ facts }: DelegationCheck) => facts.every(({ state }) => state === 'right')

function verdictOf(check: DelegationCheck, state: OwnZone['state']): string {
  if (check.is_right) {
    if (state === 'pending') {
      return 'The name servers are correct, but you have not proved that you own the domain.'
    }
    return isComplete(check)
      ? 'Everything is correct.'
      : 'The name servers work. 1 fact is incomplete.'
  }
  const wrong = check.facts.filter((fact) => fact.state === 'wrong').length
  const order = 'Correct them from the top: later facts depend on earlier ones.'
  if (wrong === 1) return '1 fact is wrong.'
  return wrong === 0
    ? 'The check could not examine every fact.'
    : `${wrong} facts are wrong. ${order}`
}

function Facts({ check }: { readonly check: DelegationCheck }) {
  return (
    <ul className="own-facts" aria-label="Facts of the last check">
      {check.facts.map((fact) => (
        <Fact key={fact.fact} fact={fact} />
      ))}
    </ul>
  )
}

/** Nothing before the first check. Facts that are all right are folded. */
export function CheckFacts({ zone: { last_check: check, state } }: CheckProps) {
  if (check === null) return null
  return (
    <>
      <p className="own-verdict">{verdictOf(check, state)}</p>
      {isComplete(check) ? (
        <details className="own-details">
          <summary>What was checked</summary>
          <Facts check={check} />
        </details>
      ) : (
        <Facts check={check} />
      )}
      <ParentServers check={check} />
    </>
  )
}
