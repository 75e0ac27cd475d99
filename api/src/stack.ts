/**
 * `npm start`: the whole service in one terminal. This process serves nothing; it starts PostgreSQL
 * and the four parts, restarts those that end, and stops them in order.
 */
import { once } from 'node:events'
import { requireSafeAdminPassword } from './config/administrator.ts'
import { supervisorLoader } from './config/supervisor.ts'
import { createLog } from './process/log.ts'
import { notesOf } from './provisioning/notes.ts'
import { provision } from './provisioning/provision.ts'
import { lockDataDir } from './stack/data-dir-lock.ts'
import { feedLoginsOf } from './stack/login-roles.ts'
import { endOrphans } from './stack/orphans.ts'
import { untilEverythingAnswers } from './stack/readiness.ts'
import { Service } from './stack/service.ts'
import { reportFailure } from './stack/start-failure.ts'
import { listenForStop } from './process/stop-signal.ts'
import { printWelcome } from './stack/welcome.ts'

const config = supervisorLoader.loadOrExit()
const log = createLog(config, 'stack')
const stop = listenForStop()
const service = new Service(config, log)

async function start(): Promise<void> {
  const giveUp = AbortSignal.any([stop.first, service.failure])
  await requireSafeAdminPassword(config)
  await lockDataDir(config.dataDir)
  await endOrphans(config.dataDir, log)
  const databaseUrl = config.databaseUrl ?? (await service.startDatabase(giveUp))
  giveUp.throwIfAborted()
  // The commands in the welcome message read the password from its file, in production too.
  const provisioned = await provision(config, databaseUrl, { keepsPassword: true })
  for (const note of notesOf(provisioned)) log.warn(note)
  const logins = await feedLoginsOf(config, databaseUrl)
  giveUp.throwIfAborted()
  await service.startParts(databaseUrl, logins)
  await untilEverythingAnswers(config, giveUp)
  service.startIsOver()
  printWelcome(config, provisioned.administrator)
}

let exitCode = 0
try {
  await start()
  if (!stop.first.aborted) await once(stop.first, 'abort')
} catch (error) {
  if (!stop.first.aborted) exitCode = reportFailure(error, log)
}
await service.stop(stop.second)
process.exit(stop.second.aborted ? 1 : exitCode)
