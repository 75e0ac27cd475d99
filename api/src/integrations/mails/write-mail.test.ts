import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountDeletionMail } from './account-deletion.ts'
import { addressInUseMail } from './address-in-use.ts'
import { addressesChangedMail, domainsSilentMail, keysExpiringMail } from './chosen-notices.ts'
import { confirmNewEmailMail, confirmOldEmailMail } from './confirm-email.ts'
import { emailChangedMail } from './email-changed.ts'
import { keyNoticeMail } from './key-notice.ts'
import { newDeviceMail } from './new-device.ts'
import { ownZoneMail } from './own-zone.ts'
import { passkeyNoticeMail } from './passkey-notice.ts'
import { paymentMail } from './payment.ts'
import { passwordChangedMail } from './password-changed.ts'
import { resetPasswordMail } from './reset-password.ts'
import { secondFactorMail } from './second-factor.ts'
import { monitorDigestMail, monitorMail } from './monitor-notices.ts'
import type { PaymentMailEvent } from '../../queue/payment-mail.ts'
import type {
  KeyEvent,
  MonitorNotice,
  OwnZoneNotice,
  PasskeyEvent,
  SecondFactorEvent,
} from '../../queue/notices.ts'
import { verifyEmailMail } from './verify-email.ts'
import { writeMail } from './write-mail.ts'

const SENDER = { product: 'Ada & Söhne', url: 'https://dns.example.net' }
const AT = '2026-05-12T08:30:12.000Z'
/** Values that users choose or send, each with characters that have a meaning in mails. */
const HOSTILE =
  'Eve <script>alert(1)</script>"\r\n\r\nYour account is locked: https://evil.example/'
const to = 'ada@example.net'
const url = `https://dns.example.net/#reset-password/${'x'.repeat(43)}`

const keyNotice = (event: KeyEvent, text: string) =>
  keyNoticeMail({
    event,
    to,
    username: text,
    name: text,
    mark: text,
    at: AT,
    ip: text,
    cc: text,
    client: text,
    publicUrl: new URL(SENDER.url),
  })

const passkeyNotice = (event: PasskeyEvent, text: string) =>
  passkeyNoticeMail({ event, to, username: text, name: text, at: AT, url })
const secondFactor = (event: SecondFactorEvent, username: string) =>
  secondFactorMail({ event, to, username, at: AT, left: 3, url })

const monitorNotice = (message: MonitorNotice['message'], text: string): MonitorNotice => ({
  message,
  fqdn: 'home.example.net',
  at: AT,
  downSince: '2026-05-12T06:25:12.000Z',
  // Servers of others can be the source of a part.
  causeText: text,
})
const aboutMonitor = (message: MonitorNotice['message'], text: string) =>
  monitorMail({ to, username: text, url, notice: monitorNotice(message, text) })

const ZONE = { zone: 'brand.example', isVanity: false }
const ownZone = (notice: OwnZoneNotice, username: string) =>
  ownZoneMail({ ...notice, to, username, url })

/** Of a payment method and an account, the texts come from others. */
const payment = (event: PaymentMailEvent, text: string) =>
  paymentMail({
    event,
    to,
    username: text,
    publicUrl: new URL(SENDER.url),
    plan: 'Pro, annual',
    amount: '$110.00',
    number: 'H-2026-000001',
    endsOn: '12 May 2027',
    renewsOn: '12 May 2027',
    nextPlan: null,
    canResume: true,
    paymentMethod: text,
    supportEmail: 'support@example.net',
    endReason: 'unpaid',
  })

const mailsOf = (text: string) => ({
  receipt: payment('receipt', text),
  paymentFailed: payment('payment-failed', text),
  graceHalf: payment('grace-half', text),
  graceLastDay: payment('grace-last-day', text),
  cardExpiring: payment('card-expiring', text),
  renewal: payment('renewal', text),
  subscriptionCancelled: payment('cancelled', text),
  subscriptionEnded: payment('ended', text),
  refunded: payment('refunded', text),
  surplusRefunded: payment('surplus-refunded', text),
  zoneVerified: ownZone({ ...ZONE, event: 'verified' }, text),
  vanityVerified: ownZone({ ...ZONE, event: 'verified', isVanity: true }, text),
  // Parts of findings are names that servers of others sent.
  zoneBroken: ownZone({ ...ZONE, event: 'broken', findings: [text] }, text),
  zoneLost: ownZone({ ...ZONE, event: 'lost' }, text),
  zoneWithheldSoon: ownZone({ ...ZONE, event: 'withheld-soon', at: AT }, text),
  zoneWithheld: ownZone({ ...ZONE, event: 'withheld' }, text),
  vanityAddresses: ownZone(
    {
      ...ZONE,
      event: 'addresses',
      servers: [{ hostname: 'ns1.brand.example', addresses: ['192.0.2.1'] }],
    },
    text,
  ),
  monitorDown: aboutMonitor('down', text),
  monitorUp: aboutMonitor('up', text),
  monitorCertificate: aboutMonitor('certificate', text),
  monitorTest: aboutMonitor('test', text),
  monitorDigest: monitorDigestMail({
    to,
    username: text,
    url,
    notices: [monitorNotice('down', text), monitorNotice('up', text)],
  }),
  passkeyAdded: passkeyNotice('added', text),
  passkeyRemoved: passkeyNotice('removed', text),
  passkeyCopied: passkeyNotice('copied', text),
  totpOn: secondFactor('totp-on', text),
  totpOff: secondFactor('totp-off', text),
  recoveryCodesMade: secondFactor('recovery-codes-made', text),
  recoveryCodeUsed: secondFactor('recovery-code-used', text),
  secondFactorsReset: secondFactor('second-factors-reset', text),
  keyMade: keyNotice('key-made', text),
  keyRotated: keyNotice('key-rotated', text),
  pipelineTrusted: keyNotice('pipeline-trusted', text),
  tokenCreated: keyNotice('token-created', text),
  tokenReplaced: keyNotice('token-replaced', text),
  accountDeletion: accountDeletionMail({ to, username: text, dueAt: AT, url }),
  addressInUse: addressInUseMail({ to, username: text, url }),
  keysExpiring: keysExpiringMail({
    to,
    username: text,
    url,
    keys: [{ name: text, mark: 'ak_1', endsAt: AT }],
  }),
  domainsSilent: domainsSilentMail({
    to,
    username: text,
    url,
    days: 7,
    domains: [{ fqdn: 'home.example.net', lastAt: AT }],
  }),
  addressesChanged: addressesChangedMail({
    to,
    username: text,
    url,
    domains: [{ fqdn: 'home.example.net', before: [], after: ['192.0.2.1'] }],
  }),
  confirmOldEmail: confirmOldEmailMail({ to, username: text, newEmail: text, url }),
  confirmNewEmail: confirmNewEmailMail({ to, username: text, url }),
  emailChanged: emailChangedMail({ to, username: text, newEmail: text, at: AT }),
  newDevice: newDeviceMail({ to, username: text, at: AT, ip: text, cc: text, client: text, url }),
  passwordChanged: passwordChangedMail({ to, username: text, at: AT, url }),
  passwordChangedAndRevoked: passwordChangedMail({
    to,
    username: text,
    at: AT,
    url,
    hasSecondFactor: true,
    revoked: { api_keys: 1, update_tokens: 2, trust_policies: 1, passkeys: 1 },
  }),
  resetPassword: resetPasswordMail({ to, username: text, url }),
  verifyEmail: verifyEmailMail({ to, username: text, url }),
})

test('every mail is tested here', () => {
  const folder = new URL('.', import.meta.url)
  const templates = readdirSync(folder)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(/^export function (\w+Mail)\b/gm),
    ])
    .map(([, name = '']) => name)
  const looked = readFileSync(import.meta.filename, 'utf8')
  const missing = templates.filter((name) => !looked.includes(`${name}({`))
  expect(missing).toEqual(['writeMail'])
  expect(templates.length).toBeGreaterThan(10)
})

test.each(Object.entries(mailsOf('ada')))('%s: both forms say the same', (_name, parts) => {
  const { subject, text, html } = writeMail(parts, SENDER)
  expect(subject).toBe(`Ada & Söhne: ${parts.subject}`)
  expect(html).toContain(`<title>${parts.subject} · Ada &amp; Söhne</title>`)
  const words = text.replaceAll('\n', ' ')
  for (const paragraph of [parts.greeting, ...parts.paragraphs, parts.footer]) {
    expect(words).toContain(paragraph)
    expect(html).toContain(paragraph.replaceAll('’', '’'))
  }
  expect(text.startsWith('Hello ada,\n\n')).toBe(true)
  expect(text.endsWith('\nAda & Söhne, https://dns.example.net\n')).toBe(true)
  if (parts.link === undefined) return
  expect(text.split('\n')).toContain(parts.link.url)
  expect(html).toContain(`<a href="${parts.link.url}">${parts.link.label}</a>`)
})

test.each(Object.entries(mailsOf('ada')))('%s: no line is too long', (_name, parts) => {
  const lines = writeMail(parts, SENDER).text.split('\n')
  expect(lines.filter((line) => line.length > 76 && !line.startsWith('https://'))).toEqual([])
})

test.each(Object.entries(mailsOf(HOSTILE)))(
  '%s: user input is neither markup nor a paragraph',
  (_name, parts) => {
    const { subject, text, html } = writeMail(parts, SENDER)
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; Your account is locked')
    expect(text).not.toContain('\r')
    for (const line of text.split('\n')) expect(line).not.toMatch(/^Your account is locked/)
    expect(text.replaceAll('\n', ' ')).toContain('</script>" Your account is locked')
  },
)

test.each(['\u0085', '\u2028', '\u2029', '\u000b', '\u001b[31m', '\0'])(
  'the control character %j becomes a space',
  (control) => {
    const { text, html } = writeMail(verifyEmailMail({ to, username: `a${control}b`, url }), SENDER)
    expect(text).not.toContain(control)
    expect(html).not.toContain(control)
  },
)

test('quotes in a link cannot end its attribute', () => {
  const link = { label: 'A "label"', url: 'https://x.example/?a=1&b="2"' }
  const parts = { to, subject: 'S', greeting: 'G', paragraphs: [], footer: 'F', link }
  expect(writeMail(parts, SENDER).html).toContain(
    '<a href="https://x.example/?a=1&amp;b=&quot;2&quot;">A &quot;label&quot;</a>',
  )
})
