/** The page to which a payment provider sends people who did not pay. */
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { intendedPlan, planIn } from '../../api/intended-plan.ts'
import { operatorQuery } from '../../api/operator.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Outcome } from '../../components/Outcome.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { pricingPage } from '../frame/subscription-words.ts'
import { useAccountLink } from '../frame/use-account-link.ts'

const SUBJECT = encodeURIComponent('My payment was cancelled')

export default function PaymentCancelledScreen({ place: { query } }: ScreenProps) {
  const link = useAccountLink()
  const { data: operator } = useQuery(operatorQuery)
  return (
    <CardPage link={link}>
      <Outcome isGood={false} title="Payment Cancelled" />
      <div className="card-page-text">
        <p>No charges were made. What you entered is kept in this tab.</p>
      </div>
      <div className="card-page-actions">
        <Button
          variant="contained"
          size="large"
          fullWidth
          href={pricingPage(planIn(query) ?? intendedPlan())}
        >
          Back to Pricing
        </Button>
        <Button variant="outlined" size="large" fullWidth href={hashOf('dashboard')}>
          Go to Dashboard
        </Button>
        {operator !== undefined && (
          <Button
            size="large"
            fullWidth
            href={`mailto:${operator.support_email}?subject=${SUBJECT}`}
          >
            Contact Support
          </Button>
        )}
      </div>
    </CardPage>
  )
}
