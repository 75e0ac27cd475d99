import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from './postgres.ts'

test('an end that came before anybody asked is told all the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'homing-postgres-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startEmbeddedPostgres({
    clusterDir: join(folder, 'cluster'),
    durable: false,
  })
  const gone = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await gone
  expect(await server.ended).toEqual({ exitCode: null, signal: 'SIGKILL' })
  await server.stop()
})
