import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { LiveSettings } from './live.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Live settings from a file with this text, their reports, and a function that writes another text. */
function liveFrom(text: string) {
  const file = join(folder, 'dns.yaml')
  const write = (next: string) => writeFileSync(file, next)
  write(text)
  const told: string[] = []
  const log = { info: (line: string) => told.push(line), error: (line: string) => told.push(line) }
  const live = new LiveSettings(file)
  const heard: (string | undefined)[] = []
  live.onChange(({ identity }) => heard.push(identity))
  return { live, write, heard, told, reload: () => live.reload(log as never) }
}

it('a changed file applies when it is read again', () => {
  const { live, write, heard, reload } = liveFrom('identity: one')
  write('identity: two')
  expect(live.current.identity).toBe('one')
  reload()
  expect(live.current.identity).toBe('two')
  expect(heard).toEqual(['two'])
})

it('an invalid file is reported, and the settings stay', () => {
  const { live, write, heard, told, reload } = liveFrom('identity: one')
  write('identity: one\nother: 1\n')
  reload()
  expect(live.current.identity).toBe('one')
  expect(heard).toEqual([])
  expect(told.join()).toMatch(/dns\.yaml:2: other is not known; .*\. The settings stay/)
})

it('a wrong file at the start is an error', () => {
  expect(() => liveFrom('identity: []')).toThrow(/dns\.yaml:1: identity is an empty list/)
})
