/** The supervisor's configuration, in a data directory that is removed after the file of tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { ConfigError } from './config-error.ts'
import { supervisorLoader } from './supervisor.ts'

export const KEY = 'k'.repeat(32)

/** The variables that production requires. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET_KEY: KEY,
  SMTP_URL: 'smtp://mail.test',
  PUBLIC_URL: 'https://dns.example.net',
  ZONES: 'example.net',
}

type Load = (environment: Record<string, string>) => object

/** The message of the error with which a loader refuses an environment. @throws if the loader accepts it */
export function refusalOf(load: Load, environment: Record<string, string>): string {
  try {
    load(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error(`The loader accepted ${JSON.stringify(environment)}`)
}

/** Loads the supervisor's configuration in a temporary data directory. */
export function useSupervisorConfig() {
  const dataDir = mkdtempSync(join(tmpdir(), 'homing-config-'))
  afterAll(() => rmSync(dataDir, { recursive: true }))
  const config = (environment: Record<string, string>) =>
    supervisorLoader.load({ DATA_DIR: dataDir, SECRET_KEY: KEY, ...environment })
  const refusal = (environment: Record<string, string>) => refusalOf(config, environment)
  return { dataDir, config, refusal }
}
