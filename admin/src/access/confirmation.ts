/**
 * Proving once more who one is. The service asks for it before what a thief of a session would do first;
 * the call waits until the person has answered, and is then made again.
 */
import { useSyncExternalStore } from 'react'

export const STEP_UP = 'step-up-required'

interface Question {
  /** @param isConfirmed false: the person would rather not */
  readonly answer: (isConfirmed: boolean) => void
}

let open: Question | undefined
let asked: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function change(question: Question | undefined): void {
  open = question
  for (const listener of listeners) listener()
}

/** Asks the person; one question for all calls that wait for it. */
async function confirmed(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    change({
      answer(isConfirmed) {
        asked = undefined
        change(undefined)
        resolve(isConfirmed)
      },
    })
  })
  return asked
}

/** The question that is open; undefined when none is. */
export const useConfirmationQuestion = (): Question | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )

async function wantsConfirmation(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'code' in body && body.code === STEP_UP
}

/** `fetch`, which asks the person first where the service wants that. */
export async function confirmingFetch(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetch(request)
  if (!(await wantsConfirmation(response)) || !(await confirmed())) return response
  return fetch(again)
}
