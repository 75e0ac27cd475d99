/**
 * `npm run migrate`: brings the database to the newest schema, and provisions the zones, name
 * servers and first administrator that the environment asks for. It prints no secret, since
 * the output of deployments is kept: a random password is only in its file.
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
  // In production the operator has the password already, and a container may have no folder to write to.
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
