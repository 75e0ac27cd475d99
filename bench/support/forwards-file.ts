/** A snapshot of the forwarder, written as another process would: in lines of JSON with a checksum at the end. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A host of the snapshot. */
export const forwardedHost = (n: number) => `host${n}.bench.test`

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
  for (let n = 0; n < count; n += 1) lines.push(JSON.stringify([forwardedHost(n), forward(n)]))
  const text = `${lines.join('\n')}\n`
  const sum = createHash('sha256').update(text).digest('hex')
  mkdirSync(join(dataDir, 'forwarder'), { recursive: true })
  writeFileSync(join(dataDir, 'forwarder', 'forwards.jsonl'), `${text}${sum}\n`)
}

const forward = (n: number) => ({
  id: String(n + 1),
  type: 'redirect',
  status: 301,
  target: `https://target${n}.example/base?x=1`,
  path: true,
  query: true,
  title: null,
  description: null,
  keywords: null,
  since: '2026-01-01T00:00:00.000Z',
})
