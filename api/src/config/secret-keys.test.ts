import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useSupervisorConfig } from './test-support.ts'

const { dataDir, config, refusal } = useSupervisorConfig()

describe('the secret key', () => {
  test('is made once, kept readable by its owner alone, and read again', () => {
    const first = config({ SECRET_KEY: '' }).secretKey
    expect(first).toHaveLength(32)
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(config({ SECRET_KEY: '' }).secretKey).toEqual(first)
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(
      first.toString('base64url'),
    )
  })

  test('is made beside a file of a process with the same id in another container', () => {
    rmSync(join(dataDir, 'secret-key'), { force: true })
    const other = join(dataDir, `secret-key.${process.pid}`)
    writeFileSync(other, 'of another container')
    config({ SECRET_KEY: '' })
    expect(readFileSync(other, 'utf8')).toBe('of another container')
    rmSync(other)
  })

  test('a damaged file stops the start instead of being replaced', () => {
    writeFileSync(join(dataDir, 'secret-key'), '')
    expect(refusal({ SECRET_KEY: '' })).toMatch(/^DATA_DIR is .*does not contain a key/)
  })
})
