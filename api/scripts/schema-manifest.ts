/**
 * Writes `api/schema.manifest.txt` from the migrations; with `--check` compares instead and fails
 * when they differ. It migrates a temporary database.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, migrate } from '../src/database/connect.ts'
import { startEmbeddedPostgres } from '../src/stack/postgres.ts'
import { describeSchema, manifestDrift } from './describe-schema.ts'
import { runScript, UsageError } from './run-script.ts'

const MANIFEST = fileURLToPath(new URL('../schema.manifest.txt', import.meta.url))

/** The manifest of a database that has run only the migrations. */
async function presentManifest(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-manifest-'))
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: false,
  })
  const knex = connect({ url: postgres.url, applicationName: 'homing-manifest' })
  try {
    await migrate(postgres.url)
    return await describeSchema(knex)
  } finally {
    await knex.destroy()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await runScript(async () => {
  const [flag, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || (flag !== undefined && flag !== '--check')) {
    throw new UsageError('usage: node api/scripts/schema-manifest.ts [--check]')
  }
  const present = await presentManifest()
  if (flag === undefined) {
    writeFileSync(MANIFEST, present)
    return
  }
  const drift = manifestDrift(readFileSync(MANIFEST, 'utf8'), present)
  if (drift.length === 0) return
  process.stderr.write(
    `the schema differs from api/schema.manifest.txt:\n${drift.join('\n')}\n` +
      'if this is intended, run: node api/scripts/schema-manifest.ts\n',
  )
  process.exitCode = 1
})
