import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { secondFactorsQuery } from '../../../api/second-factors.ts'
import { hashOf } from '../../../routes.ts'
import { Loaded } from '../../../components/Loaded.tsx'
import { RecoveryCodes } from '../RecoveryCodes.tsx'
import { AuthenticatorCard } from './AuthenticatorCard.tsx'
import { RecoveryCodesCard } from './RecoveryCodesCard.tsx'
import './two-factor.css'

/** The second step of signing in: an authenticator app, and codes for the day when it is lost. */
export default function TwoFactorSection() {
  const query = useQuery(secondFactorsQuery)
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()

  function changed(created?: readonly string[] | null): void {
    if (created) setCodes(created)
    // The change also ends other sessions.
    void queries.invalidateQueries()
  }
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
  return (
    <Loaded query={query}>
      {(factors) => (
        <>
          <AuthenticatorCard factors={factors} onChanged={changed} />
          {factors.is_on && <RecoveryCodesCard factors={factors} onCodes={changed} />}
          <p>
            <a className="section-link" href={hashOf('settings', {}, 'passkeys')}>
              {factors.passkeys === 0
                ? 'A passkey is a second factor too'
                : `Passkeys: ${factors.passkeys}`}
            </a>
          </p>
        </>
      )}
    </Loaded>
  )
}
