import { mkdtempSync, symlinkSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homing } from './support.ts'

const LAUNCHER = new URL('../bin/homing', import.meta.url).pathname

test('it runs on the pinned Node, whatever the shell has', async () => {
  const { stdout, exitCode } = await homing(['--version'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`node-${process.version}`)
})

test('it finds its home through links, relative and absolute', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homing-link-'))
  symlinkSync(LAUNCHER, join(folder, 'absolute'))
  symlinkSync('absolute', join(folder, 'relative'))
  const ended = spawnSync(join(folder, 'relative'), ['--version'], { encoding: 'utf8' })
  expect(ended.stdout).toContain('@homing/cli')
})

test('help, and a command that is none', async () => {
  const help = await homing([])
  expect(help.exitCode).toBe(0)
  for (const word of ['domains', 'update', 'resolve']) expect(help.stdout).toContain(word)
  expect(await homing(['dance'])).toEqual({
    exitCode: 64,
    stdout: '',
    stderr: 'There is no command "dance". See homing --help.\n',
  })
})

test('a reader that goes away is no error to tell', () => {
  const ended = spawnSync('sh', ['-c', `${LAUNCHER} domains add --help | true`], {
    encoding: 'utf8',
  })
  expect(ended.stderr).toBe('')
})
