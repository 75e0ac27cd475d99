/* A disk that fails while the daemon runs. */
import { describe, expect, it } from 'vitest'
import { HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { wholeSerial } from '../support/counting-zone.ts'
import { SNAPSHOT_2, LOG_2, openOn, applyUpTo, serialOn } from '../support/generations.ts'
import { MemoryDisk, systemError } from '../support/memory-disk.ts'

describe('a disk that fails', () => {
  it('full: serving continues, and the next snapshot has everything', async () => {
    const files = new MemoryDisk()
    const { store, disk, told, until } = await openOn(files, { retryMs: 1 })
    await applyUpTo(store, 5)
    files.fault = () => systemError('ENOSPC', 'no space left')
    await applyUpTo(store, 9)
    expect(wholeSerial(store)).toBe(9)
    await until(() => told.some((line) => line.startsWith('diskError snapshot')))
    expect(told).toContain('diskError log ENOSPC: no space left')
    const during = told.length
    files.fault = () => undefined
    await until(() => told.slice(during).some((line) => line.startsWith('snapshot')))
    await applyUpTo(store, 12)
    await disk.close()
    expect((await serialOn(files)).serial).toBe(12)
  })

  it('full in the middle of a write: earlier writes are kept', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 5)
    files.fault = () => systemError('ENOSPC', 'no space left')
    await applyUpTo(store, 9)
    await disk.close()
    expect((await serialOn(files.after('kill'))).serial).toBe(5)
  })

  it('that cannot sync the log gets no snapshot that needs it, and nothing more is written to that log', async () => {
    const files = new MemoryDisk()
    const { store, disk, told, until } = await openOn(files, { retryMs: 1 })
    await applyUpTo(store, 5)
    // Once: Linux discards the data that it could not write, and the next sync succeeds.
    let failures = 0
    files.syncFault = (name) => {
      if (name !== LOG_2 || failures > 0) return undefined
      // Not the sync of the new log's header.
      return files.contents(name).length > HEADER_BYTES && (failures += 1)
        ? systemError('EIO', name)
        : undefined
    }
    files.beforeWrite = async (name) => {
      const serial = wholeSerial(store)
      if (name.endsWith('.unfinished') && serial < 9) await applyUpTo(store, serial + 1)
    }
    await disk.snapshot()
    expect(failures).toBe(1)
    expect(told).toContain(`diskError snapshot EIO: ${LOG_2}`)
    expect(files.names()).not.toContain(SNAPSHOT_2)
    const { length } = files.contents(LOG_2)
    const during = told.length
    await applyUpTo(store, 12)
    expect(files.contents(LOG_2)).toHaveLength(length)
    await until(() => told.slice(during).some((line) => line.startsWith('snapshot')))
    await disk.close()
    expect((await serialOn(files.after('power-failure'))).serial).toBe(12)
  })

  it('silent: a change is served nevertheless', async () => {
    const files = new MemoryDisk()
    const { store } = await openOn(files)
    await applyUpTo(store, 5)
    files.diesAt = files.operations + 1
    await applyUpTo(store, 6)
    expect(wholeSerial(store)).toBe(6)
  })
})
