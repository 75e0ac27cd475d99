/** A process that LISTENs and reports the time of each wake-up to its parent (monotonic clock, shared by all processes). */
import { Client } from 'pg'

const client = new Client({ connectionString: process.env['DATABASE_URL'] })
await client.connect()
client.on('notification', ({ payload }) => {
  process.send?.({ payload, at: String(process.hrtime.bigint()) })
})
await client.query('listen yardstick')
process.send?.({ ready: true })
process.once('disconnect', () => void client.end())
