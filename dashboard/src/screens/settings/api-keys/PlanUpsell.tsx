import { Message } from '../../../components/Message.tsx'
import { hashOf } from '../../../routes.ts'

interface PlanUpsellProps {
  /** What the plan does not include: `API keys`. */
  readonly what: string
  readonly children: string
}

/** The feature is not in the plan: which plans have it, and what works without it. */
export function PlanUpsell({ what, children }: PlanUpsellProps) {
  return (
    <section className="card settings-card">
      <h2>{what} are not included in your plan</h2>
      <p>{children}</p>
      <p>
        <a className="settings-link" href="/pricing">
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
