/** `npm run test:long` runs every test file that has a long form. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(ROOT + file, 'utf8')

test('npm run test:long runs each test file that has a long form', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const files = globSync('{api,cli,dnsd,e2e}/{*,{src,test}/**/*}.test.ts', { cwd: ROOT })
  const withForms = files.filter((file) => /^import .*test-form\.ts'$/m.test(read(file)))
  expect(withForms.length).toBeGreaterThan(0)
  expect(scripts['test:long']?.split(' ')).toEqual(expect.arrayContaining(withForms))
})
