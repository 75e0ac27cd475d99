/**
 * A fresh proof of identity in a web app. The service asks for one before what the thief of a session would do first;
 * the call waits until the person has answered, and is then sent again. No part of it knows how the question is shown.
 */
import type { components } from './types.gen.ts'

type Schemas = components['schemas']

/** The code of the problem with which the service asks for a proof. */
export const STEP_UP = 'step-up-required'

/** The question that is open. */
export interface ConfirmationQuestion {
  /** @param isConfirmed false when the person cancels */
  readonly answer: (isConfirmed: boolean) => void
}

/** The one question of an app: all calls that need a proof at the same time wait for it. */
export class Confirmation {
  #question: ConfirmationQuestion | undefined
  #answer: Promise<boolean> | undefined
  readonly #listeners = new Set<() => void>()

  /** The open question; undefined when there is none. */
  readonly current = (): ConfirmationQuestion | undefined => this.#question

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `fetch` that asks the person when the service wants a proof. Without one the service's refusal is the answer. */
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

/** How a person can prove who they are. */
export interface ConfirmationWays {
  /** What can be typed. Undefined: nothing, because the account has passkeys alone, or needs an administrator. */
  readonly typed: 'password' | 'code' | 'recovery-code' | undefined
  readonly hasPasskey: boolean
}

/** @param takesPasskeys whether this browser can show a passkey here */
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

/** Digits of an authenticator app; all else is one of the codes that were kept for its loss. */
const APP_CODE = /^\d{3} ?\d{3}$/

/** A code that somebody typed, as the bodies that show a second factor carry it. */
export function typedCode(
  text: string,
): { readonly code: string } | { readonly recovery_code: string } {
  const typed = text.trim()
  return APP_CODE.test(typed) ? { code: typed } : { recovery_code: typed }
}

/** What a person typed, as `POST /api/me/confirm` takes it. */
export const typedProof = (
  text: string,
  typed: ConfirmationWays['typed'],
): Schemas['Confirmation'] => (typed === 'password' ? { password: text } : typedCode(text))
