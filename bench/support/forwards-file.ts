/** A snapshot of the forwarder, written as another process would: in lines of JSON with a checksum at the end. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A host of the snapshot. */
export const forwardedHost = (n: number) => `host${n}.bench.test`

const NAMES_IN_LINE = 1_000
const SINCE = Date.parse('2026-01-01T00:00:00Z') / 1_000

/** Writes a snapshot with this many redirects into a data folder. */
export function writeForwards(dataDir: string, count: number): void {
  const header = {
    format: 1,
    serial: '1',
    feedId: 'bench',
    token: 'bench',
    writtenAtMs: 0,
    names: count,
  }
  const lines = [JSON.stringify(header)]
  for (let from = 0; from < count; from += NAMES_IN_LINE) {
    const length = Math.min(NAMES_IN_LINE, count - from)
    lines.push(JSON.stringify(Array.from({ length }, (_, n) => nameRow(from + n))))
  }
  const text = `${lines.join('\n')}\n`
  const sum = createHash('sha256').update(text).digest('hex')
  mkdirSync(join(dataDir, 'forwarder'), { recursive: true })
  writeFileSync(join(dataDir, 'forwarder', 'forwards.jsonl'), `${text}${sum}\n`)
}

const nameRow = (n: number) => [
  forwardedHost(n),
  [n + 1, false, 301, `https://target${n}.example/base?x=1`, true, true, null, null, null, SINCE],
]
