/** The API process: configuration, database, app; then it listens until it is asked to stop. */
import { buildApp } from './app.ts'
import { apiLoader } from './config/api.ts'
import { operatorWarning } from './config/operator.ts'
import { plainHttpWarning } from './config/web.ts'
import { connect } from './database/connect.ts'
import { createLog } from './process/log.ts'
import { createServices, stopServices } from './compose.ts'
import { databaseUrlOrExit, runUntilStopped } from './process/life.ts'

const config = apiLoader.loadOrExit()
const log = createLog(config, 'api')
for (const warning of [plainHttpWarning(config), operatorWarning(config)]) {
  if (warning !== undefined) log.warn(warning)
}
const knex = connect({ url: databaseUrlOrExit(config), applicationName: 'homing-api' })
const services = createServices({ config, knex, log })
const app = await buildApp(services)

await runUntilStopped(log, {
  async start() {
    await app.listen({ host: config.host, port: config.port })
  },
  async stop() {
    await app.close()
    await stopServices(services)
    await knex.destroy()
  },
})
