/*
 * One dnsd for each folder. Node has no flock, but the SQLite that comes with it takes the operating
 * system's own lock on a file, and that is all it is used for. Such a lock ends with its process
 * however that ends, holds across containers that share the folder, and cannot be left behind by a
 * `kill -9` as a file with a process id can.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/** Another process serves from this folder. */
class FolderInUse extends Error {
  readonly code = 'EBUSY'

  constructor(folder: string) {
    super(`${folder} is in use by another dnsd; each one needs a DATA_DIR of its own`)
    this.name = 'FolderInUse'
  }
}

/** The right to the folder, held until it is released or the process ends. */
export interface FolderLock {
  release(): void
}

/**
 * Makes the folder when there is none and takes it.
 *
 * @throws FolderInUse, or the system's error when the folder cannot be made or written
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    // Nothing is ever written, so a journal would be a file without a purpose.
    database.exec('pragma journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new FolderInUse(folder)
    throw error
  }
  return { release: () => database.close() }
}
