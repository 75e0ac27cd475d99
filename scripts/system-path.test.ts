import { expect, test } from 'vitest'
import { withSystemFolders } from './system-path.ts'

test('system folders come last, each once', () => {
  expect(withSystemFolders('/home/me/bin:/usr/bin')).toBe(
    '/home/me/bin:/usr/bin:/usr/local/sbin:/usr/sbin:/sbin',
  )
  expect(withSystemFolders('/usr/sbin:/usr/bin')).toBe('/usr/sbin:/usr/bin:/usr/local/sbin:/sbin')
})
