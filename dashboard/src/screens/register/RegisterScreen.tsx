import { useEffect } from 'react'
import { rememberWish, wishedDomain } from '../../api/sign-up.ts'
import { CardPage } from '../../components/CardPage.tsx'
import { Message } from '../../components/Message.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { hashOf, type ScreenProps } from '../../routes.ts'
import { RegisterForm } from './RegisterForm.tsx'
import './register.css'

export default function RegisterScreen({ place }: ScreenProps) {
  const asked = new URLSearchParams(place.query).get('domain')
  useEffect(() => rememberWish(asked), [asked])
  const wish = asked ?? wishedDomain()
  return (
    <CardPage>
      <ScreenTitle title="Create an account" />
      {wish !== undefined && (
        <Message tone="info">
          <p>
            After you sign in, you can add <strong>{wish}</strong>. It is not reserved until then.
          </p>
        </Message>
      )}
      <RegisterForm />
      <p>
        Already have an account? <a href={hashOf('login')}>Sign In</a>
      </p>
    </CardPage>
  )
}
