import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { processEnvironment } from './variables.ts'

test('a process keeps only its own variables of .env, and its environment takes precedence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homing-env-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
    delete process.env['FORWARD_HOST']
  })
  writeFileSync(join(folder, '.env'), 'SECRET_KEY=a\nFORWARD_PORT=80\nFORWARD_HOST=127.0.0.1\n')
  process.env['FORWARD_HOST'] = '127.0.0.2'
  expect(processEnvironment(['FORWARD_HOST', 'FORWARD_PORT', 'LOG_FORMAT'], folder)).toEqual({
    FORWARD_HOST: '127.0.0.2',
    FORWARD_PORT: '80',
  })
})
