/* The name of a batch's file: when its counting ended, its id, and when it was first sent. Names sort by time. */

/** A batch on the disk. */
export interface SpooledBatch {
  readonly id: string
  /** When its counting ended, in milliseconds since 1970. */
  readonly endedAtMs: number
  /** When it was first sent to the database; undefined: the database cannot have it. */
  readonly sentAtMs: number | undefined
  readonly bytes: number
  readonly path: string
  /** Whether networks were removed from it. */
  readonly isPlain: boolean
}

type Named = Pick<SpooledBatch, 'id' | 'endedAtMs' | 'sentAtMs'>

const FILE = /^(\d{13})-([0-9a-f-]{36})(?:\.(\d{13}))?\.counts$/

export function batchFileName({ id, endedAtMs, sentAtMs }: Named): string {
  const sent = sentAtMs === undefined ? '' : `.${timeText(sentAtMs)}`
  return `${timeText(endedAtMs)}-${id}${sent}.counts`
}

/** @returns undefined for a file that is not a batch */
export function readBatchFileName(name: string): Named | undefined {
  const [, ended, id, sent] = FILE.exec(name) ?? []
  if (ended === undefined || id === undefined) return undefined
  return { id, endedAtMs: Number(ended), sentAtMs: sent === undefined ? undefined : Number(sent) }
}

function timeText(ms: number): string {
  return String(Math.round(ms)).padStart(13, '0')
}
