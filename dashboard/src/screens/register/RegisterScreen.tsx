import { useEffect } from 'react'
import { intendedPlan, planIn } from '../../api/intended-plan.ts'
import { registeredDraft } from '../../api/sign-up.ts'
import { domainOf, rememberWish, wishedDomain } from '../../api/wish.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { PLAN_NAMES } from '../frame/plan-words.ts'
import { CYCLE_NAMES } from '../frame/subscription-words.ts'
import { RegisterForm } from './RegisterForm.tsx'
import './register.css'

export default function RegisterScreen({ place }: ScreenProps) {
  const { query } = place
  useEffect(() => rememberWish(query), [query])
  const plan = planIn(query) ?? intendedPlan()
  const wish = domainOf(query) ?? wishedDomain()
  const former = new URLSearchParams(query).has('correct') ? registeredDraft() : undefined
  return (
    <CardPage>
      <ScreenTitle title={former === undefined ? 'Create an account' : 'Correct your address'} />
      {former !== undefined && (
        <Message tone="info">
          <p>
            Enter the right address and your password again. Your username is kept. The link in the
            first mail stops working.
          </p>
        </Message>
      )}
      {former === undefined && wish !== undefined && (
        <Message tone="info">
          <p>
            After you sign in, you can add <strong>{wish}</strong>. It is not reserved until then.
          </p>
        </Message>
      )}
      {former === undefined && plan !== undefined && (
        <Message tone="info">
          <p>
            After you sign in, you can subscribe to{' '}
            <strong>
              {PLAN_NAMES[plan.plan]}, {CYCLE_NAMES[plan.billing].toLowerCase()}
            </strong>
            . The account itself is free.
          </p>
        </Message>
      )}
      <RegisterForm former={former} />
      <p>
        Already have an account? <a href={hashOf('login')}>Sign In</a>
      </p>
    </CardPage>
  )
}
