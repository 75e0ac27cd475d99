import { useQuery } from '@tanstack/react-query'
import { ABILITIES, type Me, meQuery } from '../../../api/account.ts'
import { Icon } from '../../../components/Icon.tsx'
import { ttlText } from '../../dashboard/spans.ts'
import { Loaded } from '../Loaded.tsx'
import { ABILITY_NAMES } from './ability-names.ts'

const NAMES: Readonly<Record<Me['plan'], string>> = {
  free: 'Free',
  pro: 'Pro',
  elite: 'Elite',
  admin: 'Administrator',
  disabled: 'Disabled',
}

const LINKS: Readonly<Record<Me['plan'], string>> = {
  free: 'Upgrade Plan',
  pro: 'Upgrade to Elite',
  elite: 'Compare Plans',
  admin: 'Compare Plans',
  disabled: 'Compare Plans',
}

function Abilities({ included }: { readonly included: readonly string[] }) {
  return (
    <ul className="plan-abilities" aria-label="Features">
      {ABILITIES.map((ability) => {
        const isIncluded = included.includes(ability)
        return (
          <li key={ability} className={isIncluded ? '' : 'muted'}>
            <Icon name={isIncluded ? 'check' : 'close'} size={16} />
            <span>
              {ABILITY_NAMES[ability]}
              {!isIncluded && ' (not in your plan)'}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** The plan of the account: its limits and features. */
export default function PlanSection() {
  const query = useQuery(meQuery)
  return (
    <Loaded query={query}>
      {({ plan, limits }) => (
        <div className="card settings-card">
          <h2>{NAMES[plan]}</h2>
          <dl className="settings-facts">
            <div>
              <dt>Domains</dt>
              <dd>
                {limits.domain_count} of {limits.domain_limit}
              </dd>
            </div>
            <div>
              <dt>TTL</dt>
              <dd>{ttlText(limits.ttl)}</dd>
            </div>
          </dl>
          <Abilities included={limits.abilities} />
          <a className="settings-link" href="/pricing">
            {LINKS[plan]}
          </a>
        </div>
      )}
    </Loaded>
  )
}
