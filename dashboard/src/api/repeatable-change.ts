/** A change that can be sent again when its response was lost, and that the service makes once. */
import { ApiProblem } from './problem.ts'

const KEY_BYTES = 16

/** `crypto.randomUUID` is missing on pages without HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

/** Whether the service may have made the change, or may be making it. It stores no answer with 5xx. */
const isUnsettled = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.code === 'request-in-progress'

/**
 * The changes that one form sends. A change whose outcome is unknown keeps its `Idempotency-Key`, so pressing the button
 * again does not make it twice. After an answer, the next attempt has a new key: with the old one, the service would
 * repeat its refusal even if the reason is gone.
 */
export class RepeatableChange {
  /** The keys of the changes whose outcome is unknown, by their body. */
  readonly #keys = new Map<string, string>()

  /** @throws what `call` throws */
  async send<Body, Answer>(
    body: Body,
    call: (body: Body, key: string) => Promise<Answer>,
  ): Promise<Answer> {
    const text = JSON.stringify(body)
    const key = this.#keys.get(text) ?? newKey()
    this.#keys.set(text, key)
    try {
      const answer = await call(body, key)
      this.#keys.delete(text)
      return answer
    } catch (error) {
      if (!isUnsettled(error)) this.#keys.delete(text)
      throw error
    }
  }
}
