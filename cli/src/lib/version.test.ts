import { Config } from '@oclif/core/config'
import { release } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { versionLine } from './version.ts'

test('the version is written as oclif writes it', async () => {
  const { userAgent } = await Config.load(fileURLToPath(new URL('../..', import.meta.url)))
  expect(versionLine(release()) ?? userAgent).toBe(userAgent)
})

test('oclif answers on the Windows Subsystem for Linux', () => {
  expect(versionLine('5.15.153.1-microsoft-standard-WSL2')).toBeUndefined()
})
