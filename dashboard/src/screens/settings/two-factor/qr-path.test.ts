import { expect, test } from 'vitest'
import { qrPath } from './qr-path.ts'

test('qrPath draws each run of dark modules', () => {
  expect(qrPath(['0110', '0000', '1001'])).toBe('M1 0h2v1h-2zM0 2h1v1h-1zM3 2h1v1h-1z')
})
