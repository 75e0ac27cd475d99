import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'

/**
 * The folder is in use by another stack. The message is one line for the user who started the second
 * one.
 */
export class DataDirInUse extends Error {}

/**
 * Creates the folder and locks it for this process.
 *
 * The lock is a socket in Linux's abstract namespace, named after the folder: the kernel gives it
 * to one process, and frees it however that process ends. A PID file cannot guarantee that.
 *
 * @throws DataDirInUse when another process holds it
 */
export async function lockDataDir(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const folder = realpathSync(dataDir)
  const digest = createHash('sha256').update(folder).digest('hex')
  const socket = createServer((connection) => connection.destroy())
  socket.listen(`\0homing-stack-${digest}`)
  try {
    await once(socket, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new DataDirInUse(
      `DATA_DIR ${folder} is in use by another Homing process. Stop that process first.`,
    )
  }
  socket.unref()
}
