/** The table of the guide that says where visitors arrive. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readForward } from './forward.ts'
import { locationOf } from './location.ts'
import { requestedUrl } from './requested-url.ts'

const GUIDE = readFileSync(
  join(import.meta.dirname, '../../../docs/guides/web-forwarding.md'),
  'utf8',
)
const HEAD = '| target | visitor asks for | goes to |\n| --- | --- | --- |\n'
/** Target, its flags, the request, and the URL where the visitor arrives. */
const ROW = /^\| `([^`]+)`(?: with `([^`]+)`)? \| `([^`]+)` \| `([^`]+)` \|$/

const [, afterHead = ''] = GUIDE.split(HEAD)
const [table = ''] = afterHead.split('\n\n')
const ROWS = table.split('\n').map((line) => {
  const [, target = '', flags = '', asked = '', location = ''] = ROW.exec(line) ?? []
  return { target, flags, asked, location }
})

test.each(ROWS)('$target $flags with $asked', ({ target, flags, asked, location }) => {
  const forward = readForward({
    id: '7',
    type: 'redirect',
    status: 302,
    target,
    path: !flags.includes('--no-path'),
    query: !flags.includes('--no-query'),
  })
  const request = requestedUrl({
    method: 'GET',
    url: asked,
    rawHeaders: ['Host', 'home.example.net'],
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  })
  if (forward === null || 'fault' in request) throw new Error('the row cannot be read')
  expect(locationOf(forward, request)).toBe(location)
})
