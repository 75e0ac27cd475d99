/**
 * `npm run after-restore`: run after a database restore, so that name servers and secondaries follow again.
 */
import { databaseLoader } from '../src/config/scripts.ts'
import { connect } from '../src/database/connect.ts'
import { declareRestored } from '../src/feed/after-restore.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { runScript } from './run-script.ts'

await runScript(async () => {
  const url = databaseUrlOf(databaseLoader.loadOrExit())
  const knex = connect({ url, applicationName: 'homing-after-restore' })
  try {
    for (const { name, serial } of await declareRestored(knex)) {
      process.stdout.write(`${name}: serial ${serial}\n`)
    }
  } finally {
    await knex.destroy()
  }
})
