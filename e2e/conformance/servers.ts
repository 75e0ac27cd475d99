/** The two servers of homing.test: dnsd as `npm start` runs it, and Knot with the same zone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Knot, startKnot } from '../support/knot.ts'
import { eventually, ROOT, type Stack, startStack } from '../support/stack.ts'
import { NAME_SERVERS, NS1, type World, ZONE, ZONE_ADDRESSES, ZONE_FILE } from './world.ts'

export interface DnsdServer {
  readonly stack: Stack
  /** Runs `npm run zone:import` for a master file; resolves with the serial when dnsd answers with it. */
  readonly importZone: (file: string) => Promise<string>
  stop(): Promise<unknown>
}

/** Runs an npm script in the servers' namespace, with the service's database. */
function runScript({ servers }: World, dataDir: string, script: string, ...words: string[]) {
  const file = join(ROOT, 'api', 'scripts', script)
  return servers.run('env', `DATA_DIR=${dataDir}`, process.execPath, file, ...words)
}

const serialAnswered = async ({ client }: World) => {
  const soa = await client.run('dig', '+short', `@${NS1}`, ZONE, 'SOA')
  return soa.split(' ')[2]
}

/** Starts the whole service. Its daemon answers on port 53 of the zone's name servers. */
export async function serveByDnsd(world: World, folder: string): Promise<DnsdServer> {
  const dataDir = join(folder, 'data')
  const stack = await startStack({
    dataDir,
    namespace: world.servers,
    env: {
      NAMESERVERS: Object.entries(NAME_SERVERS)
        .map(([name, addresses]) => [name, ...addresses].join('/'))
        .join(','),
      DNS_HOST: ZONE_ADDRESSES.join(','),
      DNS_PORT: '53',
      // One client sends the queries of a thousand: rate limits by network would make the tests flaky.
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
  })
  return {
    stack,
    importZone: async (file) => {
      await runScript(world, dataDir, 'zone-import.ts', ZONE, file)
      const exported = await runScript(world, dataDir, 'zone-export.ts', ZONE)
      const serial = /\sSOA\s+\S+\s+\S+\s+\(?\s*(\d+)/.exec(exported)?.[1]
      if (serial === undefined) throw new Error(`no SOA record in what is exported:\n${exported}`)
      await eventually(
        () => serialAnswered(world),
        (answered) => answered === serial,
      )
      return serial
    },
    stop: () => stack.stop(),
  }
}

/** Starts Knot with the zone's file and the serial of dnsd, so that both serve identical zones. */
export async function serveByKnot(world: World, folder: string, serial: string): Promise<Knot> {
  const text = readFileSync(ZONE_FILE, 'utf8').replace(
    /^(@\s+SOA\s+\S+\s+\S+\s+)\d+/m,
    `$1${serial}`,
  )
  return startKnot({
    namespace: world.servers,
    folder: join(folder, 'knot'),
    addresses: ZONE_ADDRESSES,
    zones: { [ZONE]: text },
  })
}
