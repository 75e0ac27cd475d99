import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ForwardTable } from './forward-table.ts'
import { SnapshotFile } from './snapshot-file.ts'
import { DamagedSnapshot, type Moment } from './snapshot.ts'
import { makeForward, makeNames } from './test-support.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'homing-forwards-'))
const path = join(dataDir, 'forwarder', 'forwards.jsonl')
const file = new SnapshotFile(dataDir)
afterAll(() => rmSync(dataDir, { recursive: true }))

const VERSION = { serial: 12_345_678_901n, feedId: 'feed', token: 'token' }
const WRITTEN: Moment = { monotonicMs: 5_000, wallMs: 1_800_000_000_000 }
const ENDING = 'ending.example.net'

function fullTable(): ForwardTable {
  const table = new ForwardTable(() => WRITTEN.monotonicMs)
  const others = Array.from({ length: 2_500 }, (_, n) => [
    `h${n}.example.net`,
    makeForward({ id: String(n), target: `https://target.example/${n}` }),
  ])
  table.replace(VERSION, makeNames({ ...Object.fromEntries(others), 'stop.example.net': null }))
  const started = { name: ENDING, forward: makeForward(), isRemoved: false, graceSeconds: 0 }
  table.apply(VERSION, [started])
  table.apply(VERSION, [{ ...started, forward: null, isRemoved: true, graceSeconds: 120 }])
  return table
}

async function write(): Promise<ForwardTable> {
  const table = fullTable()
  const capture = table.capture()
  if (capture === undefined) throw new Error('the table is empty')
  await file.write(capture, WRITTEN)
  return table
}

beforeEach(async () => {
  await write()
})

test('what was written is read, by a process with another clock', () => {
  // 20 s later, in a process that started a moment ago.
  const read = file.read({ monotonicMs: 100, wallMs: WRITTEN.wallMs + 20_000 })
  expect(read?.version).toEqual(VERSION)
  expect(read?.writtenAtMs).toBe(WRITTEN.wallMs)
  expect(new Map(read?.names.entries())).toEqual(new Map(fullTable().capture()?.entries))
  expect(read?.graces.get(ENDING)).toEqual({ endsAtMs: 100_100, isRemoved: true })
  expect(readdirSync(join(dataDir, 'forwarder'))).toEqual(['forwards.jsonl'])
})

test('a missing file is not an error', () => {
  expect(new SnapshotFile(join(dataDir, 'none')).read(WRITTEN)).toBeUndefined()
})

const octets = () => readFileSync(path)
const flipped = (at: number) => {
  const changed = octets()
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut in a line', () => octets().subarray(0, 1_000)],
  ['cut at a line', () => octets().subarray(0, octets().indexOf('\n') + 1)],
  ['without its checksum', () => octets().subarray(0, -65)],
  ['with another bit in a name', () => flipped(300)],
  ['with another bit in its checksum', () => flipped(octets().length - 10)],
])('a file that is %s is refused', (_what, damaged) => {
  writeFileSync(path, damaged())
  expect(() => file.read(WRITTEN)).toThrow(DamagedSnapshot)
})

test('a failed write leaves the old snapshot', async () => {
  const before = octets()
  const capture = fullTable().capture()
  if (capture === undefined) throw new Error('the table is empty')
  // A forward that JSON cannot contain ends the write in the middle.
  const unwritable = { ...makeForward(), id: 1n as unknown as number }
  const failing = {
    ...capture,
    entries: [...capture.entries, ['bad.example.net', unwritable] as const],
  }
  await expect(file.write(failing, WRITTEN)).rejects.toThrow(TypeError)
  expect(octets().equals(before)).toBe(true)
})
