import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { stealthPage } from './stealth-page.ts'
import { makeForward } from './test-support.ts'

const PLACE = {
  host: 'home.example.net',
  location: 'https://t.example:8443/a?b=1&c=2',
  abuseEmail: 'abuse@example.net',
}
const HOSTILE = `"></title><script>alert(1)</script>'`

test('the texts of the owner cannot become markup', () => {
  const { body } = stealthPage(
    makeForward({ type: 'stealth', title: HOSTILE, description: HOSTILE, keywords: HOSTILE }),
    PLACE,
  )
  expect(body).not.toContain('<script')
  expect(body).not.toContain(`"></title>`)
  const escaped = '&quot;&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;'
  for (const place of [
    `<title>${escaped}</title>`,
    `<meta name="description" content="${escaped}">`,
    `<meta name="keywords" content="${escaped}">`,
    `title="${escaped}"`,
  ]) {
    expect(body).toContain(place)
  }
})

test('the page shows the target in a frame, and has a plain link and a link to report abuse', () => {
  const { body } = stealthPage(makeForward({ type: 'stealth' }), PLACE)
  expect(body).toContain(
    '<iframe src="https://t.example:8443/a?b=1&amp;c=2" title="home.example.net">',
  )
  expect(body).toContain('<a href="https://t.example:8443/a?b=1&amp;c=2">')
  expect(body).toContain('<a href="mailto:abuse@example.net">')
  expect(body).toContain('<title>home.example.net</title>')
  expect(body).not.toContain('<meta name="description"')
})

test('the policy allows the frame and the style of the page only', () => {
  const { body, contentSecurityPolicy } = stealthPage(makeForward({ type: 'stealth' }), PLACE)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(body) ?? []
  const digest = createHash('sha256').update(style).digest('base64')
  expect(contentSecurityPolicy.split('; ')).toEqual([
    `default-src 'none'`,
    'frame-src http: https:',
    `style-src 'sha256-${digest}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ])
})
