import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig, processEnvironment } from './config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'homing-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

describe('loadConfig', () => {
  it('has a default for everything', () => {
    const { databaseUrl, logFormat, workers, ...rest } = loadConfig({ DATA_DIR: dataDir })
    expect(rest).toEqual({
      folder: join(dataDir, 'dnsd'),
      hosts: ['127.0.0.1'],
      port: 8053,
      settingsFile: undefined,
      udpTransport: 'auto',
      limitsRates: true,
      countsQueries: true,
      metricsPort: undefined,
      logLevel: 'info',
    })
    expect(databaseUrl()).toBeUndefined()
    expect(['pretty', 'json']).toContain(logFormat)
    expect(workers).toBe(availableParallelism())
  })

  it('accepts the set variables, and treats an empty one as unset', () => {
    const config = loadConfig({
      DNS_HOST: '127.0.0.1, ::1,127.0.0.1',
      DNS_PORT: '53',
      DNS_WORKERS: '3',
      DNS_SETTINGS: '/etc/homing/dns.yaml',
      DNS_UDP_TRANSPORT: 'batch',
      RATE_LIMITS: 'off',
      QUERY_COUNTS: 'off',
      DNS_METRICS_PORT: '9153',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      DNSD_DATABASE_URL: '',
      DATABASE_URL: 'postgresql://host/base',
    })
    expect(config).toMatchObject({
      hosts: ['127.0.0.1', '::1'],
      port: 53,
      workers: 3,
      settingsFile: '/etc/homing/dns.yaml',
      udpTransport: 'batch',
      limitsRates: false,
      countsQueries: false,
      metricsPort: 9153,
      logLevel: 'debug',
      logFormat: 'json',
    })
    expect(config.databaseUrl()).toBe('postgresql://host/base')
  })

  it('prefers its own database', () => {
    const urls = { DNSD_DATABASE_URL: 'postgres://own/base', DATABASE_URL: 'postgres://all/base' }
    expect(loadConfig(urls).databaseUrl()).toBe('postgres://own/base')
  })

  it('finds the database of `make run`, also when it appears later', () => {
    const { databaseUrl } = loadConfig({ DATA_DIR: dataDir })
    mkdirSync(join(dataDir, 'run'))
    writeFileSync(join(dataDir, 'run', 'database-url'), 'postgresql://later/base\n')
    expect(databaseUrl()).toBe('postgresql://later/base')
  })

  it.each([
    ['DNS_PORT', '0', 'DNS_PORT is "0"; it takes a port from 1 to 65535'],
    ['DNS_PORT', '65536', 'DNS_PORT is "65536"; it takes a port from 1 to 65535'],
    ['DNS_METRICS_PORT', '9x', 'DNS_METRICS_PORT is "9x"; it takes a port from 1 to 65535'],
    ['DNS_WORKERS', '0', 'DNS_WORKERS is "0"; it takes a number from 1 to 256'],
    ['DNS_WORKERS', '257', 'it takes a number from 1 to 256'],
    ['DNS_WORKERS', 'all', 'it takes a number from 1 to 256'],
    ['RATE_LIMITS', 'no', 'RATE_LIMITS is "no"; it takes on or off'],
    ['DNS_HOST', 'fe80::1%lo', 'it takes a comma list of IPv4 and IPv6 addresses'],
    ['DNS_HOST', '127.0.0.1,', 'it takes a comma list of IPv4 and IPv6 addresses'],
    ['LOG_LEVEL', 'loud\nly', 'LOG_LEVEL is "loud\\nly"; it takes trace, debug, info'],
    ['LOG_FORMAT', 'xml', 'LOG_FORMAT is "xml"; it takes pretty or json'],
    ['DATABASE_URL', 'mysql://a:secret@b/c', 'DATABASE_URL is "(20 characters, not shown)"'],
  ])('refuses %s=%j', (name, value, message) => {
    expect(() => loadConfig({ [name]: value })).toThrow(message)
  })

  it('requires limits in production', () => {
    const environment = { RATE_LIMITS: 'off', NODE_ENV: 'production' }
    expect(() => loadConfig(environment)).toThrow(/RATE_LIMITS is "off"/)
  })

  it('keeps only its own lines of .env, and the environment takes precedence', () => {
    const lines = [
      'SECRET_KEY=of-the-api',
      'METRICS_TOKEN=of-the-api',
      'DNS_PORT=53',
      'LOG_LEVEL=debug',
    ]
    writeFileSync(join(dataDir, '.env'), lines.join('\n'))
    process.env['LOG_LEVEL'] = 'warn'
    const environment = processEnvironment(dataDir)
    delete process.env['LOG_LEVEL']
    expect(environment).toMatchObject({ DNS_PORT: '53', LOG_LEVEL: 'warn' })
    expect(JSON.stringify(environment)).not.toContain('of-the-api')
  })

  it('shows no password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://a:secret@b/c' })).toThrow(/^((?!secret).)*$/)
  })
})
