/** Rows of the views of the forward feed. A row that cannot be served is reported and never stops the others. */
import { type Forward, InvalidForward, readForward } from '../forward.ts'
import type { FeedVersion } from '../forward-table.ts'

/** Lower-case labels, with or without `*.` in front. */
const NAME = /^(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*$/

/** Called with a name that cannot be served, and the reason. */
export type OnSkipped = (name: string, reason: string) => void

/** A row of the view `forward_feed`. PostgreSQL's bigint comes as text. */
export interface FeedRow {
  readonly serial: string
  readonly feed_id: string
  readonly token: string
}

export const versionOf = ({ serial, feed_id, token }: FeedRow): FeedVersion => ({
  serial: BigInt(serial),
  feedId: feed_id,
  token,
})

/** Whether the name can be the host of a request. Reports it otherwise. */
export function isServable(name: string, onSkipped: OnSkipped): boolean {
  if (NAME.test(name)) return true
  onSkipped(name, 'the name is invalid')
  return false
}

/** The forward of a row. An invalid one counts as a name that is not forwarded, so that no wildcard answers for it. */
export function servedForward(name: string, value: unknown, onSkipped: OnSkipped): Forward | null {
  try {
    return readForward(value)
  } catch (error) {
    if (!(error instanceof InvalidForward)) throw error
    onSkipped(name, error.message)
    return null
  }
}
