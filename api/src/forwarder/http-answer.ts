import type { Forward } from './forward.ts'

/** A complete response, before the server writes it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  /** Undefined: the response has no body. */
  readonly body?: string | Buffer
  /** The forward that answered, whose hits are counted. */
  readonly forward?: Forward
}
