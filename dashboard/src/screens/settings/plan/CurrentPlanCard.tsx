/** The plan of the account: its price, limits and features. */
import { count, spanText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ABILITIES, type Ability, type Me } from '../../../api/account.ts'
import { plansQuery } from '../../../api/plans.ts'
import { recordUsageQuery } from '../../../api/records.ts'
import { ABILITY_NAMES } from '../../../components/ability-names.ts'
import { NO_PAYMENTS } from '../../../components/no-payments.ts'
import { PLAN_NAMES, priceText } from '../../frame/plan-words.ts'
import { usageText } from '../../frame/record-usage-words.ts'

const LINKS: Readonly<Record<Me['plan'], string>> = {
  free: 'Upgrade Plan',
  pro: 'Upgrade to Elite',
  elite: 'Compare Plans',
  admin: 'Compare Plans',
  disabled: 'Compare Plans',
}

/** Whether a larger plan could be bought. */
const isSold = (plan: Me['plan']) => plan === 'free' || plan === 'pro'

interface AbilitiesProps {
  readonly title: string
  readonly abilities: readonly Ability[]
  readonly isIncluded: boolean
}

function Abilities({ title, abilities, isIncluded }: AbilitiesProps) {
  const id = useId()
  if (abilities.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className="plan-abilities" aria-labelledby={id}>
        {abilities.map((ability) => (
          <li key={ability} className={isIncluded ? '' : 'muted'}>
            <Icon name={isIncluded ? 'check' : 'close'} size={16} />
            {ABILITY_NAMES[ability]}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The price of the plan, and of the next one. A plan that is not sold, such as that of administrators, has none. */
function Prices({ plan, isGift }: Pick<CurrentPlanCardProps, 'isGift'> & Pick<Me, 'plan'>) {
  const { data: plans = [] } = useQuery(plansQuery)
  const place = plans.findIndex(({ id }) => id === plan)
  const own = plans[place]
  const next = own === undefined ? undefined : plans[place + 1]
  const price = isGift ? 'Free of charge' : own && priceText(own)
  const nextPrice = next && priceText(next)
  return (
    <>
      {price !== undefined && (
        <div>
          <dt>Price</dt>
          <dd>{price}</dd>
        </div>
      )}
      {next !== undefined && nextPrice !== undefined && (
        <div>
          <dt>Next plan</dt>
          <dd>
            {PLAN_NAMES[next.id]}: {nextPrice}
          </dd>
        </div>
      )}
    </>
  )
}

/** The records that the account has, and those that the plan includes. */
function Records() {
  const { data: usage } = useQuery(recordUsageQuery)
  if (usage === undefined) return null
  return (
    <div>
      <dt>Records</dt>
      <dd>{usageText(usage)}</dd>
    </div>
  )
}

interface CurrentPlanCardProps {
  readonly me: Me
  /** Whether the card of the subscription, below, changes the plan. */
  readonly hasSubscription: boolean
  /** Whether an administrator gave the account this plan. */
  readonly isGift: boolean
  /** Whether plans can be bought. */
  readonly canPay: boolean
}

export function CurrentPlanCard(props: CurrentPlanCardProps) {
  const { me, hasSubscription, isGift, canPay } = props
  const { plan, limits } = me
  return (
    <div className="card section-card">
      <h2>{PLAN_NAMES[plan]}</h2>
      <dl className="section-facts plan-facts">
        <div>
          <dt>Domains</dt>
          <dd>
            {count(limits.domain_count)} of {count(limits.domain_limit)}
          </dd>
        </div>
        <Records />
        <div>
          <dt>TTL</dt>
          <dd>{spanText(limits.ttl)}</dd>
        </div>
        <Prices plan={plan} isGift={isGift} />
      </dl>
      <Abilities
        title="Included"
        abilities={ABILITIES.filter((ability) => limits.abilities.includes(ability))}
        isIncluded
      />
      <Abilities
        title="Not in your plan"
        abilities={ABILITIES.filter((ability) => !limits.abilities.includes(ability))}
        isIncluded={false}
      />
      {!canPay && isSold(plan) && <p className="muted">{NO_PAYMENTS}</p>}
      <a className="line-button fit" href="/pricing">
        {hasSubscription || !canPay ? 'Compare Plans' : LINKS[plan]}
      </a>
    </div>
  )
}
