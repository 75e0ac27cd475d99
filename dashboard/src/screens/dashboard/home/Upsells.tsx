/** What the next plans add, for people on a plan that lacks it. */
import { useQuery } from '@tanstack/react-query'
import type { Ability, Me } from '../../../api/account.ts'
import { plansQuery } from '../../../api/plans.ts'
import { ABILITY_NAMES } from '../../../components/ability-names.ts'
import { hashOf } from '../../../routes.ts'
import { plansWith } from '../../frame/plan-words.ts'

interface Upsell {
  readonly ability: Ability
  readonly text: string
  /** The place of an example. */
  readonly example?: string
}

/** By plan. Other plans have everything, or are not for sale. */
const UPSELLS: Readonly<Partial<Record<Me['plan'], readonly Upsell[]>>> = {
  free: [
    { ability: 'web_forward', text: 'Send visitors of a domain to any web address.' },
    {
      ability: 'analytics',
      text: 'See how often a domain is queried, and from which countries.',
      example: hashOf('analytics'),
    },
  ],
  pro: [
    {
      ability: 'vanity_ns',
      text: 'Serve domains that you registered elsewhere, under name servers with your own name.',
    },
  ],
}

function Cards({ upsells }: { readonly upsells: readonly Upsell[] }) {
  const { data: plans } = useQuery(plansQuery)
  return (
    <section className="upsells" aria-label="With a larger plan">
      {upsells.map(({ ability, text, example }) => (
        <div key={ability} className="card upsell">
          <h2>{ABILITY_NAMES[ability]}</h2>
          <p className="muted">
            {text} Included in {plansWith(ability, plans)}.
          </p>
          <p className="upsell-links">
            <a href="/pricing">Compare plans</a>
            {example !== undefined && <a href={example}>See an example</a>}
          </p>
        </div>
      ))}
    </section>
  )
}

export function Upsells({ me }: { readonly me: Me | undefined }) {
  const upsells = (me === undefined ? [] : (UPSELLS[me.plan] ?? [])).filter(
    ({ ability }) => me?.limits.abilities.includes(ability) === false,
  )
  return upsells.length === 0 ? null : <Cards upsells={upsells} />
}
