/**
 * `npm run migrate`: migrates the schema to the newest version, and provisions the zones, name
 * servers and first administrator that the environment defines. It prints no secret, because the
 * output of deployments is stored: a random password is only in its file.
 */
import { requireSafeAdminPassword } from '../src/config/administrator.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { migrateLoader } from '../src/config/scripts.ts'
import { notesOf, warningsOf } from '../src/provisioning/notes.ts'
import { adminPasswordFile, provision, type Provisioned } from '../src/provisioning/provision.ts'
import { runScript } from './run-script.ts'

await runScript(async () => {
  const config = migrateLoader.loadOrExit()
  await requireSafeAdminPassword(config)
  // In production the operator already has the password, and a container may have no writable folder.
  const keepsPassword = config.nodeEnv !== 'production'
  const done = await provision(config, databaseUrlOf(config), { keepsPassword })
  process.stdout.write(
    `${linesOf(done, keepsPassword ? adminPasswordFile(config) : 'ADMIN_PASSWORD').join('\n')}\n`,
  )
  for (const note of notesOf(done)) process.stderr.write(`note: ${note}\n`)
  for (const warning of warningsOf(config)) process.stderr.write(`warning: ${warning}\n`)
})

function linesOf({ administrator, zones }: Provisioned, passwordPlace: string): string[] {
  const { username, outcome } = administrator
  return [
    'schema: up to date',
    outcome === 'created'
      ? `administrator: created ${username}; the password is in ${passwordPlace}`
      : 'administrator: exists',
    ...zones.map((zone) => `zone ${zone.zone}: ${zone.outcome}`),
  ]
}
