/** The service's storage: on disk and in PostgreSQL. */
import { resolve } from 'node:path'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { ROOT, type Variables } from './variables.ts'

const POSTGRES_URL = 'a URL such as postgresql://user:password@host:5432/database'

const databaseUrlIn = <Name extends string>(variables: Variables<Name>, name: Name) =>
  variables.secret(name, POSTGRES_URL, parse.postgresUrl)

export const dataFolder = configGroup(['DATA_DIR'], (variables) => ({
  /** Absolute. */
  dataDir: resolve(ROOT, variables.text('DATA_DIR') ?? '.data'),
}))

export const database = configGroup(['DATABASE_URL'], (variables) => ({
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: databaseUrlIn(variables, 'DATABASE_URL'),
}))

/** The database login of the web-forwarding server. */
export const forwarderDatabase = configGroup(
  ['DATABASE_URL', 'FORWARDER_DATABASE_URL'],
  (variables) => ({
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    forwarderDatabaseUrl:
      databaseUrlIn(variables, 'FORWARDER_DATABASE_URL') ??
      databaseUrlIn(variables, 'DATABASE_URL'),
  }),
)

/** The database logins of the parts that read the feed. */
export const feedDatabases = configGroup(
  ['DATABASE_URL', 'DNSD_DATABASE_URL', 'FORWARDER_DATABASE_URL'],
  (variables) => {
    const { databaseUrl } = database.read(variables)
    return {
      dnsdDatabaseUrl: databaseUrlIn(variables, 'DNSD_DATABASE_URL') ?? databaseUrl,
      ...forwarderDatabase.read(variables),
    }
  },
)

export const changeRetention = configGroup(['CHANGE_RETENTION'], (variables) => ({
  changeRetentionMs: variables.value(
    'CHANGE_RETENTION',
    'a duration such as 90s, 30m, 24h or 7d',
    parse.durationMs,
    86_400_000,
  ),
}))
