import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { onOneConnection } from './one-connection.ts'
import { startEmbeddedPostgres } from './postgres.ts'

/** A server over an empty folder, which is removed after the test. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'homing-postgres-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return startEmbeddedPostgres({ clusterDir: join(folder, 'cluster'), durable: false })
}

test('an end is reported also if it came before it was awaited', async () => {
  const server = await startServer()
  const gone = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await gone
  expect(await server.ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
  await server.stop()
})

test('a server that dies under a connection of the supervisor ends the query, not the supervisor', async () => {
  const server = await startServer()
  const isAnswered = onOneConnection({ connectionString: server.url }, async (client) => {
    // Written by hand, because `once()` would also listen for the error.
    const lost = new Promise<void>((told) => client.once('end', () => told()))
    const answer = client.query('select pg_sleep(60)')
    server.process.kill('SIGQUIT')
    // Either the system or PostgreSQL can report it first.
    const [told] = await Promise.all([answer.catch((error: unknown) => error), lost])
    return told
  })
  // An event without a listener would fail this file as an unhandled error.
  expect(await isAnswered).toBeInstanceOf(Error)
  await server.stop()
})
