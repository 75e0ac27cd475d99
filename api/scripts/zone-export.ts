/** `npm run zone:export -- ZONE`: a zone as an RFC 1035 master file on standard output. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { databaseLoader } from '../src/config/scripts.ts'
import { exportZone } from '../src/feed/zone-file/export-zone.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { runScript, UsageError } from './run-script.ts'

await runScript(async () => {
  const [zone, ...rest] = process.argv.slice(2)
  if (zone === undefined || rest.length > 0) {
    throw new UsageError('usage: npm run zone:export -- ZONE')
  }
  const file = exportZone(databaseUrlOf(databaseLoader.loadOrExit()), zone)
  try {
    await pipeline(Readable.from(file), process.stdout)
  } catch (error) {
    // The reader has stopped reading: `zone:export -- ZONE | head`.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
})
