import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryDisk, systemError } from '../support/memory-disk.ts'
import { type CountedName, COUNTERS, linesOf, namesIn } from '../../src/query-counts/index.ts'
import { CountSpool } from '../../src/count-writing/count-spool.ts'
import type { SpoolLimits } from '../../src/count-writing/spool-limits.ts'

const FOLDER = '/counts'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const ROOMY = { batches: 1_000, bytes: 1_000_000 }

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Queries for one name from one network, of type A and by UDP. */
function counted(queries: number, network: string | null = '192.0.2.0/24'): CountedName {
  return {
    zone: 'home.test',
    kind: 'name',
    name: 'a.home.test',
    networks: [[network, queries]],
    counters: COUNTERS.map(([, value]) => (value === 'A' || value === 'udp' ? queries : 0)),
  }
}

async function opened(files: MemoryDisk, limits: SpoolLimits = ROOMY) {
  const told: string[] = []
  const spool = new CountSpool({
    files,
    folder: FOLDER,
    limits,
    events: {
      batchesReduced: (batches, lost) => told.push(`reduced ${batches} ${lost}`),
      countsLost: (queries, why) => told.push(`lost ${queries} ${why}`),
      spoolFailed: (why) => told.push(`disk ${why.message}`),
    },
  })
  await spool.open()
  const add = async (n: number, endedAtMs: number, names: readonly CountedName[] = [counted(1)]) =>
    spool.add({ id: idOf(n), endedAtMs, sentAtMs: undefined }, linesOf(names))
  return { spool, told, add }
}

async function spooledNames(spool: CountSpool): Promise<CountedName[]> {
  const names: CountedName[] = []
  for (const batch of spool.batches) {
    for await (const lines of spool.lines(batch)) names.push(...namesIn(lines))
  }
  return names
}

const queriesOf = (names: readonly CountedName[]) =>
  names.flatMap(({ networks }) => networks).reduce((sum, [, queries]) => sum + queries, 0)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('CountSpool', () => {
  it('gives back exactly what it was given, by time', async () => {
    const files = new MemoryDisk()
    const { add } = await opened(files)
    const missing: CountedName = { ...counted(7, null), kind: 'nxdomain', name: null }
    await add(2, 20_000, [counted(2), missing])
    await add(1, 10_000, [{ ...counted(1), name: 'ü\\001 "quoted".home.test' }])
    const { spool } = await opened(files.after('power-failure'))
    expect(await spooledNames(spool)).toEqual([
      { ...counted(1), name: 'ü\\001 "quoted".home.test' },
      counted(2),
      missing,
    ])
  })

  it('reads a batch of many pieces', async () => {
    const files = new MemoryDisk()
    const { add, spool } = await opened(files)
    const names = Array.from({ length: 5_000 }, (_, n) => ({
      ...counted(n + 1),
      name: `n${n}.home.test`,
    }))
    await add(1, 10_000, names)
    expect(await spooledNames(spool)).toEqual(names)
  })

  it('over the limit, makes one batch of five minutes, then of an hour, and loses nothing', async () => {
    const files = new MemoryDisk()
    const { spool, told, add } = await opened(files, { ...ROOMY, batches: 20 })
    for (let n = 0; n < 360; n++)
      await add(n, n * 10_000, [counted(1), counted(2, '198.51.100.0/24')])
    expect(spool.batches.length).toBeLessThanOrEqual(20)
    for (let n = 360; n < 10_000; n += 30) await add(n, n * 10_000, [counted(3)])
    const names = await spooledNames(spool)
    expect(spool.batches.length).toBeLessThanOrEqual(20)
    expect(queriesOf(names)).toBe(3 * 360 + 3 * 322)
    expect(told.every((line) => /^reduced \d+ time$/.test(line))).toBe(true)
    // Counters are added up too, and the newest batches still have their own time.
    const ofTypeA = names.map(({ counters: [queries = 0] }) => queries)
    expect(ofTypeA.reduce((sum, queries) => sum + queries, 0)).toBe(queriesOf(names))
    expect(spool.batches.at(-1)?.endedAtMs).toBe(9_990 * 10_000)
  })

  it('over the limit of octets, loses networks, and only then counts', async () => {
    const files = new MemoryDisk()
    const networks = Array.from({ length: 50 }, (_, n) => [`10.0.${n}.0/24`, 2] as const)
    const wide = { ...counted(100), networks }
    const { spool, told, add } = await opened(files, { ...ROOMY, bytes: 2_000 })
    for (let n = 0; n < 3; n++) await add(n, n * 24 * HOUR_MS, [wide])
    expect(told).toEqual(['reduced 1 network', 'reduced 1 network'])
    expect(queriesOf(await spooledNames(spool))).toBe(300)
    expect((await spooledNames(spool))[0]?.networks).toEqual([[null, 100]])
    for (let n = 3; n < 20; n++) await add(n, n * 24 * HOUR_MS, [wide])
    const lost = told.filter((line) => line.startsWith('lost 100')).length
    expect(lost).toBeGreaterThan(0)
    expect(queriesOf(await spooledNames(spool))).toBe(100 * (20 - lost))
    expect(spool.bytes).toBeLessThanOrEqual(2_000)
  })

  it('never changes a batch that was sent, not even after a restart', async () => {
    const files = new MemoryDisk()
    const { spool, add } = await opened(files)
    await add(1, 10_000)
    const [first] = spool.batches
    if (first === undefined) throw new Error('there is no batch')
    await spool.markSent(first, 11_000)
    const after = await opened(files.after('power-failure'), { ...ROOMY, batches: 2 })
    for (let n = 2; n < 6; n++) await after.add(n, n * 10_000)
    expect(after.spool.batches[0]).toMatchObject({ id: idOf(1), sentAtMs: 11_000 })
    expect(queriesOf(await spooledNames(after.spool))).toBe(5)
  })

  it('does not offer a batch that it is merging, and does not merge one that is being sent', async () => {
    const files = new MemoryDisk()
    const { spool, add } = await opened(files, { ...ROOMY, batches: 2 })
    await add(1, 10_000)
    await add(2, 20_000)
    const [first] = spool.batches
    if (first === undefined) throw new Error('there is no batch')
    const marked = spool.markSent(first, 30_000)
    const offered: string[][] = []
    files.beforeWrite = async () => {
      offered.push(spool.batches.map(({ id }) => id))
    }
    await add(3, 40_000)
    await marked
    // While 2 and 3 were merged, only 1 was offered.
    expect(offered.at(-1)).toEqual([idOf(1)])
    expect(spool.batches.map(({ id }) => id)[0]).toBe(idOf(1))
    expect(queriesOf(await spooledNames(spool))).toBe(3)
  })

  it('a disk that is full or read-only: the batch is not kept, and earlier ones are', async () => {
    const files = new MemoryDisk()
    const { spool, told, add } = await opened(files)
    await add(1, 10_000)
    files.fault = () => systemError('ENOSPC', 'no space left')
    await expect(add(2, 20_000)).rejects.toThrow('ENOSPC')
    await expect(add(2, 20_000)).rejects.toThrow('ENOSPC')
    files.fault = () => undefined
    files.accessFault = () => systemError('EROFS', 'read-only file system')
    await expect(add(2, 20_000)).rejects.toThrow('EROFS')
    files.accessFault = () => undefined
    await add(3, 30_000)
    expect(spool.batches.map(({ id }) => id)).toEqual([idOf(1), idOf(3)])
    expect(told).toEqual(['disk ENOSPC: no space left', 'disk EROFS: read-only file system'])
    expect(files.names()).toHaveLength(2)
  })

  it('a written batch that cannot be removed is not offered again', async () => {
    const files = new MemoryDisk()
    const { spool, add } = await opened(files)
    await add(1, 10_000)
    const [first] = spool.batches
    if (first === undefined) throw new Error('there is no batch')
    files.accessFault = () => systemError('EROFS', 'read-only file system')
    await spool.remove(first)
    expect([spool.batches, spool.size]).toEqual([[], 1])
    files.accessFault = () => undefined
    await add(2, 20_000)
    expect(spool.size).toBe(1)
    expect(files.names()).toHaveLength(1)
  })
})

describe('a damaged file', () => {
  const cases: Readonly<Record<string, (octets: Buffer) => Buffer>> = {
    'that is empty': () => Buffer.alloc(0),
    'that was cut off within a line': (octets) => octets.subarray(0, octets.length - 40),
    'without its end': (octets) => octets.subarray(0, octets.lastIndexOf('{')),
    'with another number': (octets) => Buffer.from(octets.toString().replace('192.0.2', '192.0.3')),
    'of zeros': (octets) => Buffer.alloc(octets.length),
  }
  for (const [title, damage] of Object.entries(cases)) {
    it(`${title} is refused at the latest at its end`, async () => {
      const files = new MemoryDisk()
      const { add } = await opened(files)
      await add(1, 10_000)
      const [name = ''] = files.names()
      files.replace(name, damage(files.contents(name)))
      const { spool, told } = await opened(files)
      await expect(spooledNames(spool)).rejects.toThrow(
        /it ends early|it is empty|changed|not JSON/,
      )
      const [batch] = spool.batches
      if (batch === undefined) throw new Error('there is no batch')
      await spool.lose(batch, 'it is damaged')
      expect(told).toEqual(['lost undefined it is damaged'])
    })
  }
})

it('wherever the process or the power ends, each kept batch counts exactly once', async () => {
  const LIMITS = { ...ROOMY, batches: 3 }
  /** Adds batches of 1, 2, 4 … queries, which are merged. @returns the sum of those that were kept */
  async function addSome(files: MemoryDisk): Promise<{ kept: number; tried: number }> {
    const sums = { kept: 0, tried: 0 }
    const run = async () => {
      const { add } = await opened(files, LIMITS)
      for (let n = 0; n < 6; n++) {
        sums.tried += 2 ** n
        await add(n, n * 10_000, [counted(2 ** n)])
        sums.kept += 2 ** n
      }
    }
    await Promise.race([run(), files.died.promise])
    return sums
  }
  const whole = new MemoryDisk()
  await addSome(whole)
  for (let diesAt = 1; diesAt <= whole.operations; diesAt++) {
    for (const crash of ['kill', 'power-failure'] as const) {
      const files = new MemoryDisk()
      files.diesAt = diesAt
      const { kept, tried } = await addSome(files)
      const { spool, told } = await opened(files.after(crash), LIMITS)
      const found = queriesOf(await spooledNames(spool))
      // The last batch may be kept without a report of it.
      expect([kept, tried], `operation ${diesAt}, ${crash}`).toContain(found)
      expect(told).toEqual([])
    }
  }
})
