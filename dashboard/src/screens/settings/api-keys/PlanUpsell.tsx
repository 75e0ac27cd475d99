import { useQuery } from '@tanstack/react-query'
import type { Ability } from '../../../api/account.ts'
import { plansQuery } from '../../../api/plans.ts'
import { Message } from '@homing/theme/parts/Message.tsx'
import { hashOf } from '../../../routes.ts'
import { plansWith } from '../../frame/plan-words.ts'

interface PlanUpsellProps {
  /** The feature that the plan must include. */
  readonly ability: Ability
  /** What the plan does not include: `API keys`. */
  readonly what: string
  /** What one can do with it: `programs can manage your domains`. */
  readonly children: string
}

/** The feature is not in the plan: which plans have it, and what works without it. */
export function PlanUpsell({ ability, what, children }: PlanUpsellProps) {
  const { data: plans } = useQuery(plansQuery)
  return (
    <section className="card section-card">
      <h2>{what} are not included in your plan</h2>
      <p>
        With {plansWith(ability, plans)}, {children}
      </p>
      <p>
        <a className="section-link" href="/pricing">
          Compare plans
        </a>
      </p>
      <Message tone="info">
        <p>
          Update tokens work on every plan. A token is a secret for one domain, which a router can
          use. <a href={hashOf('dashboard')}>Create one on the dashboard</a>: choose “How to Update”
          beside the domain.
        </p>
      </Message>
    </section>
  )
}
