/**
 * A fresh proof of identity in a web app. The service requires one for the calls that the thief of a session would make first;
 * the call waits until the person has answered, and is then sent again. This module does not depend on how the app shows the question.
 */
import type { components } from './types.gen.ts'

type Schemas = components['schemas']

/** The code of the problem that requires a proof. */
export const STEP_UP = 'step-up-required'

/** The open question. */
export interface ConfirmationQuestion {
  /** @param isConfirmed false when the person cancels */
  readonly answer: (isConfirmed: boolean) => void
}

/** The one question of an app: all calls that need a proof at the same time wait for it. */
export class Confirmation {
  #question: ConfirmationQuestion | undefined
  #answer: Promise<boolean> | undefined
  readonly #listeners = new Set<() => void>()

  /** The open question; undefined while no question is open. */
  readonly current = (): ConfirmationQuestion | undefined => this.#question

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A `fetch` that asks the person when the service requires a proof. If the person cancels, it returns the service's refusal. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const again = request.clone()
    const response = await fetch(request)
    if (!(await isStepUpRequired(response)) || !(await this.#ask())) return response
    return fetch(again)
  }

  #ask(): Promise<boolean> {
    this.#answer ??= new Promise<boolean>((resolve) => {
      this.#show({
        answer: (isConfirmed) => {
          this.#answer = undefined
          this.#show(undefined)
          resolve(isConfirmed)
        },
      })
    })
    return this.#answer
  }

  #show(question: ConfirmationQuestion | undefined): void {
    this.#question = question
    for (const listener of this.#listeners) listener()
  }
}

async function isStepUpRequired(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'code' in body && body.code === STEP_UP
}

/** How a person can confirm their identity. */
export interface ConfirmationWays {
  /** What the person can type. Undefined: nothing, because the account has only passkeys or needs an administrator. */
  readonly typed: 'password' | 'code' | 'recovery-code' | undefined
  readonly hasPasskey: boolean
}

/** @param takesPasskeys whether this browser can use passkeys here */
export function confirmationWays(
  { is_on: isOn, methods }: Pick<Schemas['SecondFactors'], 'is_on' | 'methods'>,
  takesPasskeys: boolean,
): ConfirmationWays {
  if (!isOn) return { typed: 'password', hasPasskey: false }
  const paper = methods.includes('recovery_code') ? 'recovery-code' : undefined
  return {
    typed: methods.includes('totp') ? 'code' : paper,
    hasPasskey: takesPasskeys && methods.includes('passkey'),
  }
}

/** A code of an authenticator app; anything else is a recovery code. */
const APP_CODE = /^\d{3} ?\d{3}$/

/** A typed code, in the form of the request bodies that contain a second factor. */
export function typedCode(
  text: string,
): { readonly code: string } | { readonly recovery_code: string } {
  const typed = text.trim()
  return APP_CODE.test(typed) ? { code: typed } : { recovery_code: typed }
}

/** What a person typed, in the form of `POST /api/me/confirm`. */
export const typedProof = (
  text: string,
  typed: ConfirmationWays['typed'],
): Schemas['Confirmation'] => (typed === 'password' ? { password: text } : typedCode(text))
