/** The question with which an administrator proves who they are: the part of it that React shows. */
import { Confirmation, type ConfirmationQuestion } from '@homing/openapi/client'
import { useSyncExternalStore } from 'react'

const confirmation = new Confirmation()

/** `fetch`, which asks the person first where the service wants a fresh proof. */
export const confirmingFetch = confirmation.fetch

/** The open question; undefined if no call waits for a proof. */
export const useConfirmationQuestion = (): ConfirmationQuestion | undefined =>
  useSyncExternalStore(confirmation.subscribe, confirmation.current)
