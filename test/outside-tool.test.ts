import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { needs, pathOf } from './outside-tool.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homing-tools-'))
  symlinkSync('/bin/sh', join(folder, 'sh'))
  vi.stubEnv('PATH', folder)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const install = (program: string) =>
  writeFileSync(join(folder, program), '#!/bin/sh\n', { mode: 0o755 })

test('one browser is enough, and the headless shell comes first', () => {
  expect(pathOf('chromium')).toBeUndefined()
  expect(needs('chromium')).toEqual({ skip: true, meta: { needs: 'chromium' } })
  install('chromium')
  expect(pathOf('chromium')).toBe(join(folder, 'chromium'))
  expect(needs('chromium')).toEqual({})
  install('chromium-headless-shell')
  expect(pathOf('chromium')).toBe(join(folder, 'chromium-headless-shell'))
})

test('of several programs, the first that is missing is named', () => {
  install('dig')
  expect(needs('dig')).toEqual({})
  expect(needs('dig', 'kdig', 'drill')).toEqual({ skip: true, meta: { needs: 'kdig' } })
})
