/** How to prove that the user owns a domain, where the delegation alone does not prove it or comes too late. */
import type { OwnershipTask, OwnZone } from '../../api/own-zones.ts'
import { CopyText } from './CopyText.tsx'
import { earlyTask, extraTasks } from './zone-words.ts'

const TITLES: Readonly<Record<OwnershipTask['method'], string>> = {
  delegation: 'Set the name servers',
  txt: 'Create a TXT record',
  ns: 'Add a third name server',
}

const WAYS: Readonly<Record<OwnershipTask['method'], string>> = {
  delegation: 'set the name servers',
  txt: 'create a TXT record where the domain is hosted now',
  ns: 'add a third name server at your registrar',
}

/** Without the final dot, which forms of registrars refuse. A text of a TXT record has none. */
const plainName = (value: string): string => value.replace(/\.$/, '')

function Task({ task }: { readonly task: OwnershipTask }) {
  const { method, name, type, values, description } = task
  return (
    <li className="own-fact">
      <h3>{TITLES[method]}</h3>
      <p>{description}</p>
      <dl className="own-record">
        <div>
          <dt>Name</dt>
          <dd>
            <CopyText text={name} what="the name of the record" />
          </dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd className="monospace">{type}</dd>
        </div>
        <div>
          <dt>Value</dt>
          {values.map(plainName).map((value) => (
            <dd key={value}>
              <CopyText text={value} what={`the value ${value}`} />
            </dd>
          ))}
        </div>
      </dl>
    </li>
  )
}

/** For who moves a domain in use: the zone is empty until the proof, and the name servers should change after that. */
function EarlyProof({ zone }: { readonly zone: OwnZone }) {
  const task = earlyTask(zone)
  if (task === undefined) return null
  return (
    <details className="own-details">
      <summary>Is {zone.zone} in use already?</summary>
      <p>
        The zone is empty until you prove that the domain is yours. The name servers prove it, and a
        TXT record does so before you change them: verify the zone then, and add your domains and
        records first.
      </p>
      <ul className="own-facts">
        <Task task={task} />
      </ul>
    </details>
  )
}

/** What must be done if the name servers themselves are not the proof. Otherwise, what can be done. */
export function Tasks({ zone }: { readonly zone: OwnZone }) {
  const tasks = extraTasks(zone)
  if (tasks.length === 0) return <EarlyProof zone={zone} />
  const ways = tasks.map(({ method }) => WAYS[method]).join(' or ')
  return (
    <section className="own-tasks" aria-labelledby="tasks-title">
      <h3 id="tasks-title">Prove that you own {zone.zone}</h3>
      <p>
        Another account claims this domain too, or it had our name servers before your claim. The
        name servers alone do not prove that it is yours. To prove it, {ways}. You can remove the
        record when the zone is active.
      </p>
      <ul className="own-facts" aria-label="Ways to prove the ownership">
        {tasks.map((task) => (
          <Task key={task.method} task={task} />
        ))}
      </ul>
    </section>
  )
}
