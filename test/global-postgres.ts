/**
 * Starts one PostgreSQL for a test run and migrates a template database in it.
 * Each test file copies its own database from the template (`test/database.ts`).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../api/src/database/connect.ts'
import { giveToServer } from '../api/src/stack/postgres-programs.ts'
import { startEmbeddedPostgres } from '../api/src/stack/postgres.ts'

/** The longest path of a folder in which PostgreSQL can create its socket, in octets. The system takes 107 for both. */
const SOCKET_FOLDER_BYTES = 90

/**
 * A folder for the server's Unix socket: the client needs 5 to 30 % less processor time for a short statement than through
 * TCP. '' when the path is too long for a socket.
 */
function socketFolderIn(folder: string): string {
  const path = join(folder, 'socket')
  if (Buffer.byteLength(path) > SOCKET_FOLDER_BYTES) return ''
  mkdirSync(path, { mode: 0o700 })
  giveToServer(path)
  return path
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-test-'))
  const socketFolder = socketFolderIn(folder)
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: false,
    settings: { max_connections: '300', unix_socket_directories: socketFolder },
  })
  await migrate(postgres.url)
  project.provide('templateUrl', postgres.url)
  project.provide('socketFolder', socketFolder)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
