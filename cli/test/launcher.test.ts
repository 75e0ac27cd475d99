import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { homing, homingProcess, LAUNCHER, shellEnvironment, temporaryFolder } from './support.ts'

test('it runs on the pinned Node, regardless of the shell', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'node'), '#!/bin/sh\nexit 99\n', { mode: 0o755 })
  const env = shellEnvironment({ PATH: `${folder}:/usr/bin:/bin` })
  const { stdout, status } = spawnSync(LAUNCHER, ['--version'], { cwd: '/', env, encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout).toContain(`node-${process.version}`)
})

/** A tree with this launcher, and with files that print their name and their arguments. */
function treeWith(...files: string[]): string {
  const root = join(temporaryFolder(), `it's a "tree"`)
  for (const path of ['cli/bin/homing', 'node_modules/.bin/node', ...files]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
  }
  copyFileSync(LAUNCHER, join(root, 'cli/bin/homing'))
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'))
  for (const file of files) {
    const printed = `[${JSON.stringify(file)}, ...process.argv.slice(2)]`
    writeFileSync(join(root, file), `console.log(JSON.stringify(${printed}))`)
  }
  return join(root, 'cli/bin/homing')
}

test.each([
  ['the build', ['cli/src/main.ts', 'cli/dist/src/main.js'], 'cli/dist/src/main.js'],
  ['the sources, where there is no build', ['cli/src/main.ts'], 'cli/src/main.ts'],
])('it starts %s, with spaces and quotes in the path', (_, files, started) => {
  const words = ['a word', '', '*', '$HOME']
  const ended = spawnSync(treeWith(...files), words, { cwd: '/', encoding: 'utf8' })
  expect(JSON.parse(ended.stdout)).toEqual([started, ...words])
})

test('the sources run too, without a build', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  for (const words of [
    ['domains', 'add', '--help'],
    ['domains', 'lst'],
  ]) {
    const options = { env: shellEnvironment({}), encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync(process.execPath, [main, ...words], options)
    expect(await homing(words)).toMatchObject({ stdout, stderr })
  }
})

test('without its Node it says what to run', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'cli/bin'), { recursive: true })
  copyFileSync(LAUNCHER, join(root, 'cli/bin/homing'))
  const ended = spawnSync(join(root, 'cli/bin/homing'), { encoding: 'utf8' })
  expect(ended.status).toBe(1)
  expect(ended.stderr).toMatch(/^homing: its own Node is not installed; run 'make setup'/)
})

test('it finds its home through links, relative and absolute', () => {
  const folder = temporaryFolder()
  symlinkSync(LAUNCHER, join(folder, 'absolute'))
  symlinkSync('absolute', join(folder, 'relative'))
  const ended = spawnSync(join(folder, 'relative'), ['--version'], { encoding: 'utf8' })
  expect(ended.stdout).toContain('@homing/cli')
})

test('help: three examples, every command once, and what they have in common', async () => {
  const help = await homing([])
  expect(help).toMatchObject({ exitCode: 0, stderr: '' })
  expect(help.stdout.match(/^ {2}\$ homing [a-z]/gm)).toHaveLength(3)
  expect(help.stdout).not.toContain('domains rm')
  for (const word of ['login', 'domains add', 'tokens create', 'help exit-codes']) {
    expect(help.stdout).toContain(word)
  }
  for (const args of [
    ['help', 'exit-codes'],
    ['exit-codes', '--help'],
  ]) {
    expect((await homing(args)).stdout).toMatch(/^ *64 +invalid command line$/m)
  }
  expect((await homing(['help', 'environment'])).stdout).toContain('HOMING_API_KEY')
})

test('help of a command: its own flags in its usage, and examples', async () => {
  const { stdout } = await homing(['domains', 'add', '--help'])
  expect(stdout).toContain('$ homing domains add DOMAIN [--ip ADDRESS...]\n')
  expect(stdout).toContain('EXAMPLES')
  expect((await homing(['domains', 'add', '-h'])).stdout).toBe(stdout)
})

test('a reader that closes the pipe is not an error', () => {
  const ended = spawnSync('sh', ['-c', `${LAUNCHER} domains add --help | true`], {
    encoding: 'utf8',
  })
  expect(ended.stderr).toBe('')
})

test('an output that cannot be written is reported in a sentence', () => {
  const ended = spawnSync('sh', ['-c', `${LAUNCHER} help exit-codes >/dev/full`], {
    encoding: 'utf8',
  })
  expect(ended.status).toBe(1)
  expect(ended.stderr).toMatch(/^The output cannot be written: ENOSPC\b.*\n$/)
})

test('its user may be unknown to the system, as in a container', async () => {
  const nobody = `
    import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.userInfo = () => { throw new Error('ENOENT') }
    os.homedir = () => process.env.HOME || os.userInfo()
    syncBuiltinESMExports()`
  const preload = `--import=data:text/javascript,${encodeURIComponent(nobody)}`
  expect(await homingProcess(['whoami'], { NODE_OPTIONS: preload, HOME: '' })).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'Not signed in. Sign in: homing login\n',
  })
})

test.each([
  [{}, false],
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('%j: help in a pipe is bold: %s', async (env, isBold) => {
  const { stdout, stderr } = await homingProcess([], env)
  expect([stdout.includes('\u001b['), stderr]).toEqual([isBold, ''])
})
