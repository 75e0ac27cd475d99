/** Offers passkeys if the browser supports them: with a button, and in the autofill list. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { useEffect, useRef, useState } from 'react'
import { PasskeyNotUsed, signInByPasskey } from '../../api/sign-in.ts'

export const offersPasskeys = (): boolean => isSecureContext && browserSupportsWebAuthn()

/**
 * Offers passkeys in the browser's autofill list for the user name, while the form is open.
 *
 * @param isOffered false if the user name is fixed: browsers offer nothing in its field
 * @param onFailure called when the user chose a passkey and the sign-in failed
 * @returns offers them again, after another prompt has ended the offer
 */
export function usePasskeyAutofill(
  isOffered: boolean,
  onFailure: (error: unknown) => void,
): () => void {
  const [round, setRound] = useState(0)
  const tell = useRef(onFailure)
  tell.current = onFailure
  useEffect(() => {
    if (!isOffered) return undefined
    let isHere = true
    async function offer(): Promise<void> {
      if (!offersPasskeys() || !(await browserSupportsWebAuthnAutofill()) || !isHere) return
      await signInByPasskey({ isAutofill: true })
    }
    offer().catch((error: unknown) => {
      // Do not report that no passkey could be offered: the user can type a password.
      if (isHere && !(error instanceof PasskeyNotUsed)) tell.current(error)
    })
    return () => {
      isHere = false
      WebAuthnAbortService.cancelCeremony()
    }
  }, [isOffered, round])
  return () => setRound((before) => before + 1)
}
