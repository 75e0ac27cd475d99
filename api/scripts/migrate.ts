/** `npm run migrate`: brings the database to the newest schema. */
import { requireSafeAdminPassword } from '../src/config/administrator.ts'
import { migrateLoader } from '../src/config/scripts.ts'
import { migrate } from '../src/database.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { runScript } from './run-script.ts'

await runScript(async () => {
  const config = migrateLoader.loadOrExit()
  await requireSafeAdminPassword(config)
  await migrate(databaseUrlOf(config))
  process.stdout.write('the schema is up to date\n')
})
