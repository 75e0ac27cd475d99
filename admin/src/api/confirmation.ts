/** Connects the confirmation of identity to React. */
import { Confirmation, type ConfirmationQuestion } from '@homing/openapi/client'
import { useSyncExternalStore } from 'react'

const confirmation = new Confirmation()

/** A `fetch` that asks the user to confirm their identity when the service requires it. */
export const confirmingFetch = confirmation.fetch

/** The open prompt; undefined if no call waits for a confirmation. */
export const useConfirmationQuestion = (): ConfirmationQuestion | undefined =>
  useSyncExternalStore(confirmation.subscribe, confirmation.current)
