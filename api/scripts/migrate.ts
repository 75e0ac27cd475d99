/** `npm run migrate`: brings the database to the newest schema. */
import { loadConfigOrExit } from '../src/config.ts'
import { migrate } from '../src/database.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { runScript } from './run-script.ts'

await runScript(async () => {
  await migrate(databaseUrlOf(loadConfigOrExit()))
  process.stdout.write('the schema is up to date\n')
})
