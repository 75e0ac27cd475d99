import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { abandonedFolders, runsPrograms } from './memory-folder.ts'

test('programs run from a tmpfs without noexec, and from nothing else', () => {
  const mounts = (type: string, options: string) =>
    `/dev/vda / ext4 rw 0 0\nx /dev/shm ${type} ${options} 0 0\n`
  expect(runsPrograms(mounts('tmpfs', 'rw,nosuid,relatime'), '/dev/shm')).toBe(true)
  expect(runsPrograms(mounts('tmpfs', 'rw,nosuid,noexec'), '/dev/shm')).toBe(false)
  expect(runsPrograms(mounts('ext4', 'rw'), '/dev/shm')).toBe(false)
  expect(runsPrograms(mounts('tmpfs', 'rw'), '/run/shm')).toBe(false)
})

test('only the folder of a run that has ended is abandoned', () => {
  const parent = mkdtempSync(join(tmpdir(), 'homing-memory-'))
  try {
    // Larger than any process id of Linux.
    for (const id of [process.pid, 2 ** 22 + 1]) mkdirSync(join(parent, `homing-tests-${id}`))
    mkdirSync(join(parent, 'of-another-program'))
    expect(abandonedFolders(parent)).toEqual([join(parent, `homing-tests-${2 ** 22 + 1}`)])
  } finally {
    rmSync(parent, { recursive: true })
  }
})
