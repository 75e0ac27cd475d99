/**
 * `npm run second-factors:reset -- <user name>`: for an administrator who lost them, when no other
 * administrator can help.
 */
import { databaseUrlOf } from '../src/config/database-url.ts'
import { databaseLoader } from '../src/config/scripts.ts'
import {
  dropFactors,
  factorsChanged,
  isSecondFactorOn,
  lockFactors,
} from '../src/credentials/second-factors.ts'
import { notifySecondFactor } from '../src/credentials/notify-second-factor.ts'
import { connect } from '../src/database/connect.ts'
import { JobQueue } from '../src/queue/job-queue.ts'
import { User } from '../src/models/user.ts'
import { NotThere, runScript, UsageError } from './run-script.ts'

await runScript(async () => {
  const [username, ...rest] = process.argv.slice(2)
  if (username === undefined || rest.length > 0) {
    throw new UsageError('usage: npm run second-factors:reset -- <user name>')
  }
  const url = databaseUrlOf(databaseLoader.loadOrExit())
  const knex = connect({ url, applicationName: 'homing-second-factors' })
  const jobs = new JobQueue(knex, (error) => process.stderr.write(`${error.message}\n`))
  try {
    const account = await User.query(knex)
      .select('id')
      .whereRaw('lower(username) = lower(?)', username)
      .first()
    if (account === undefined) throw new NotThere(`the account ${username} does not exist`)
    const wasOn = await knex.transaction(async (trx) => {
      const before = await lockFactors(trx, account.id)
      await dropFactors(trx, account.id)
      if (!isSecondFactorOn(before)) return false
      await factorsChanged(trx, account.id)
      await notifySecondFactor(
        { jobs, now: () => new Date() },
        trx,
        account.id,
        'second-factors-reset',
      )
      return true
    })
    const said = wasOn
      ? `the second factors of ${username} were removed, and all its sessions have ended`
      : `${username} has no second factor`
    process.stdout.write(`${said}\n`)
  } finally {
    await jobs.stop()
    await knex.destroy()
  }
})
