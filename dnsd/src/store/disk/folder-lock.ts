/*
 * A lock that allows one dnsd per folder. Node has no flock, but its SQLite takes the operating
 * system's lock on a file, and SQLite is used only for that. Such a lock always ends with its
 * process and holds across containers that share the folder. Unlike a file with a process ID, it
 * cannot remain after a `kill -9`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/** Another process has locked the folder, or it cannot be locked at all. */
class FolderNotLocked extends Error {
  readonly code = 'ENOLCK'

  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'FolderNotLocked'
  }
}

/** The lock of the folder, held until it is released or the process ends. */
export interface FolderLock {
  release(): void
}

/**
 * Creates the folder if necessary and locks it.
 *
 * @throws FolderNotLocked, or the system's error when the folder cannot be created
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0, open: false })
  try {
    database.open()
    // Nothing is ever written, so a journal file is not needed.
    database.exec('pragma journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    if (database.isOpen) database.close()
    const { errcode, message } = error as Error & { errcode?: number }
    const reason =
      errcode === SQLITE_BUSY
        ? 'is in use by another dnsd; each one needs a DATA_DIR of its own'
        : `cannot be locked: ${message}`
    throw new FolderNotLocked(`${folder} ${reason}`, error)
  }
  return { release: () => database.close() }
}
