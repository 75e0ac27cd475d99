/** Passkeys where the browser has them: by a button, and among what it fills in. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { useEffect, useRef } from 'react'
import { PasskeyNotUsed, signInByPasskey } from '../../api/sign-in.ts'

export const offersPasskeys = (): boolean => isSecureContext && browserSupportsWebAuthn()

/**
 * Offers passkeys in the list that the browser opens at the name's field, for as long as the form is there.
 *
 * @param onFailure when one was chosen and did not sign in
 */
export function usePasskeyAutofill(onFailure: (error: unknown) => void): void {
  const tell = useRef(onFailure)
  tell.current = onFailure
  useEffect(() => {
    let isHere = true
    async function offer(): Promise<void> {
      if (!offersPasskeys() || !(await browserSupportsWebAuthnAutofill()) || !isHere) return
      await signInByPasskey({ isAutofill: true })
    }
    offer().catch((error: unknown) => {
      // That none could be offered is no news to somebody who types a password.
      if (isHere && !(error instanceof PasskeyNotUsed)) tell.current(error)
    })
    return () => {
      isHere = false
      WebAuthnAbortService.cancelCeremony()
    }
  }, [])
}
