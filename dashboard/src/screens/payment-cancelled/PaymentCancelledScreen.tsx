/** The page to which a payment provider sends people who did not pay. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { type ChosenPlan, intendedPlan, planIn } from '../../api/intended-plan.ts'
import { operatorQuery } from '../../api/operator.ts'
import { useSession } from '../../api/session.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { planText, pricingPage } from '../frame/subscription-words.ts'
import { useAccountLink } from '../frame/use-account-link.ts'

/** Who wanted which plan, so that support does not have to ask. */
function subjectOf(chosen: ChosenPlan | undefined, username: string | undefined): string {
  const plan = chosen && planText({ plan: chosen.plan, interval: chosen.billing })
  const facts = [username, plan].filter((fact) => fact !== undefined)
  return ['My payment was cancelled', ...facts].join(' – ')
}

export default function PaymentCancelledScreen({ place: { query } }: ScreenProps) {
  const link = useAccountLink()
  const { user } = useSession()
  const { data: operator } = useQuery(operatorQuery)
  const chosen = planIn(query) ?? intendedPlan()
  const subject = encodeURIComponent(subjectOf(chosen, user?.username))
  return (
    <CardPage link={link}>
      <Outcome isGood={false} title="Payment Cancelled" />
      <div className="card-page-text">
        <p>No charges were made. What you entered is kept in this tab.</p>
      </div>
      <div className="card-page-actions">
        <Button variant="contained" size="large" fullWidth href={pricingPage(chosen)}>
          Back to Pricing
        </Button>
        <Button variant="outlined" size="large" fullWidth href={hashOf('dashboard')}>
          Go to Dashboard
        </Button>
        {operator !== undefined && (
          <Button
            size="large"
            fullWidth
            href={`mailto:${operator.support_email}?subject=${subject}`}
          >
            Contact Support
          </Button>
        )}
      </div>
    </CardPage>
  )
}
