/** PowerDNS with its own PostgreSQL (gpgsql), with default caches and without caches. */
import { existsSync, readFileSync } from 'node:fs'
import { startEmbeddedPostgres } from '@homing/api/postgres'
import { Client } from 'pg'
import { type Contender, freshFolder, startServer, writeConfig } from './dns-contender.ts'
import { recordsOf, ZONE } from './dns-mix.ts'
import { findProgram, LOAD_CORES, pinTree } from './pinned-process.ts'
import { treeMs } from './process-tree.ts'
import { freePort } from './service.ts'

/** The database schema from the package. */
const SCHEMA = '/usr/share/doc/pdns-backend-pgsql/schema.pgsql.sql'
const ROWS_A_STATEMENT = 10_000
const NO_CACHES = ['cache-ttl=0', 'query-cache-ttl=0', 'negquery-cache-ttl=0']

async function fill(url: string, names: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(readFileSync(SCHEMA, 'utf8'))
    await client.query("insert into domains (name, type) values ($1, 'NATIVE')", [ZONE])
    const rows: object[] = []
    const flush = async () => {
      await client.query(
        `insert into records (domain_id, name, type, content, ttl, auth)
         select d.id, r.name, r.type, r.content, 300, true
         from domains d, json_to_recordset($1::json) as r(name text, type text, content text)`,
        [JSON.stringify(rows.splice(0))],
      )
    }
    for (const record of recordsOf(names)) {
      if (rows.push(record) === ROWS_A_STATEMENT) await flush()
    }
    await flush()
    await client.query('vacuum analyze records')
  } finally {
    await client.end()
  }
}

const configuration = (url: string, folder: string, port: number) => {
  const database = new URL(url)
  return [
    'launch=gpgsql',
    `gpgsql-host=${database.hostname}`,
    `gpgsql-port=${database.port}`,
    `gpgsql-dbname=${database.pathname.slice(1)}`,
    `gpgsql-user=${decodeURIComponent(database.username)}`,
    `gpgsql-password=${decodeURIComponent(database.password)}`,
    'local-address=127.0.0.1',
    `local-port=${port}`,
    `socket-dir=${folder}`,
    'daemon=no',
    'guardian=no',
    'disable-syslog=yes',
    'loglevel=3',
    'receiver-threads=1',
    'distributor-threads=1',
  ]
}

function contender(name: string, more: readonly string[]): Contender {
  const program = findProgram('pdns_server')
  return {
    name,
    missing() {
      if (program === undefined) return 'package pdns-server'
      return existsSync(SCHEMA) ? undefined : 'package pdns-backend-pgsql'
    },
    async start(zone) {
      const folder = freshFolder(zone, name)
      const postgres = await startEmbeddedPostgres({
        clusterDir: `${folder}/postgres`,
        durable: true,
      })
      try {
        pinTree(postgres.process.pid ?? 0, LOAD_CORES)
        await fill(postgres.url, zone.names)
        const port = await freePort()
        writeConfig(folder, 'pdns.conf', [...configuration(postgres.url, folder, port), ...more])
        const command = [program ?? '', `--config-dir=${folder}`]
        const databaseCpuMs = () => treeMs(postgres.process.pid ?? 0)
        const server = await startServer(zone, { name, command, port, databaseCpuMs })
        return {
          ...server,
          async stop() {
            await server.stop()
            await postgres.stop()
          },
        }
      } catch (error) {
        await postgres.stop()
        throw error
      }
    },
  }
}

export const powerDns = contender('pdns', [])
export const powerDnsWithoutCaches = contender('pdns-uncached', NO_CACHES)
