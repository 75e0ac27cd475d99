import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmtpServer, startSmtpServer } from '../../../test/smtp-server.ts'
import { listMailbox, readMailbox } from './mailbox.ts'
import { createMailer, type Mailer, type MailerConfig } from './mailer.ts'
import { verifyEmailMail } from './mails/verify-email.ts'
import { writeMail } from './mails/write-mail.ts'

const TOKEN = 'x'.repeat(43)
const URL_OF_LINK = `https://a-rather-long-name-of-a-service.example.net/api/verify-email/${TOKEN}`
const SENDER = { product: 'Homing', url: 'https://dns.example.net' }
const MAIL = writeMail(
  verifyEmailMail({ to: 'ada@example.net', username: 'ada', url: URL_OF_LINK }),
  SENDER,
)

let config: MailerConfig
let mailer: Mailer

function configure(smtpUrl: URL | undefined): void {
  config = {
    smtpUrl,
    mailFrom: 'Homing <no-reply@homing.test>',
    dataDir: mkdtempSync(join(tmpdir(), 'homing-mail-')),
    publicUrl: new URL('https://dns.example.net'),
  }
  mailer = createMailer(config)
}

afterEach(() => {
  mailer.close()
  rmSync(config.dataDir, { recursive: true, force: true })
})

describe('the local mailbox', () => {
  beforeEach(() => configure(undefined))
  const files = () => readdirSync(join(config.dataDir, 'mail'))
  const only = () => readFileSync(join(config.dataDir, 'mail', files()[0] ?? ''))

  test('stores each mail as a file named by time and recipient, readable by its owner only', async () => {
    await mailer.send(MAIL, 'job-1')
    expect(files()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-ada@example\.net\.eml$/),
    ])
    expect(statSync(join(config.dataDir, 'mail', files()[0] ?? '')).mode & 0o777).toBe(0o600)
  })

  test('the folder is readable by its owner only, also one of an earlier version after the start', async () => {
    const folder = join(config.dataDir, 'mail')
    const mode = () => (statSync(folder).mode & 0o777).toString(8)
    const umask = process.umask(0)
    try {
      await mailer.send(MAIL, 'job-1')
      expect(mode()).toBe('700')
      chmodSync(folder, 0o755)
      createMailer(config).close()
      expect(mode()).toBe('700')
      chmodSync(folder, 0o777)
      await mailer.send(MAIL, 'job-2')
      expect(mode()).toBe('700')
    } finally {
      process.umask(umask)
    }
  })

  test('a DATA_DIR that is created with it stays open to the other parts of the service', async () => {
    rmSync(config.dataDir, { recursive: true })
    const umask = process.umask(0o022)
    try {
      await mailer.send(MAIL, 'job-1')
    } finally {
      process.umask(umask)
    }
    expect((statSync(config.dataDir).mode & 0o777).toString(8)).toBe('755')
  })

  test('the mail is complete: addresses, both forms, one id', async () => {
    await mailer.send(MAIL, 'job-1')
    const mail = await PostalMime.parse(only())
    expect(mail).toMatchObject({
      from: { name: 'Homing', address: 'no-reply@homing.test' },
      to: [{ address: 'ada@example.net' }],
      subject: 'Homing: Verify your email address',
      messageId: '<job-1@dns.example.net>',
    })
    expect(mail.text).toContain(URL_OF_LINK)
    expect(mail.html).toContain(`<a href="${URL_OF_LINK}">`)
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  })

  test('the link is on one line of the file', async () => {
    await mailer.send(MAIL, 'job-1')
    expect(only().toString().split(/\r?\n/)).toContain(URL_OF_LINK)
  })

  test('a text with characters outside ASCII arrives unchanged', async () => {
    await mailer.send({ ...MAIL, text: 'Grüße aus Łódź 🏠\n' }, 'job-1')
    expect((await PostalMime.parse(only())).text).toContain('Grüße aus Łódź 🏠')
  })

  test.each([
    'ada@example.net\r\nBcc: eve@example.net',
    'ada@example.net, eve@example.net',
    'Eve <eve@example.net>, ada@example.net',
    'ada@example.net\nSubject: else',
  ])('the recipient %j adds no header and no other recipient', async (to) => {
    await mailer.send({ ...MAIL, to, subject: 'One\r\nBcc: eve@example.net' }, 'a\r\nX-Other: b')
    const head =
      only()
        .toString()
        .split(/\r?\n\r?\n/, 1)[0] ?? ''
    const names = head.match(/^[A-Za-z-]+(?=:)/gm) ?? []
    expect(names.map((name) => name.toLowerCase()).toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
    expect(files()).toEqual([expect.stringMatching(/^[A-Za-z0-9@._-]+\.eml$/)])
    expect((await PostalMime.parse(only())).to).toHaveLength(1)
  })

  test('a path as recipient stays a file name in the folder', async () => {
    await mailer.send({ ...MAIL, to: '../../etc/passwd@example.net' }, 'job-1')
    expect(files()).toEqual([expect.stringMatching(/Z-\.\.\.\.etcpasswd@example\.net\.eml$/)])
  })

  test('mails are listed newest first, and only they can be read by name', async () => {
    expect(await listMailbox(config)).toEqual([])
    await mailer.send(MAIL, 'job-1')
    await mailer.send({ ...MAIL, to: 'bob@example.net' }, 'job-2')
    const listed = await listMailbox(config)
    expect(listed.map((file) => file.slice(25))).toEqual([
      'bob@example.net.eml',
      'ada@example.net.eml',
    ])
    expect((await readMailbox(config, listed[0] ?? ''))?.toString()).toContain('bob@example.net')
    for (const file of [
      'none.eml',
      '../secret-key',
      '..%2fsecret-key',
      '.eml',
      '',
      '/etc/passwd',
    ]) {
      expect(await readMailbox(config, file)).toBeUndefined()
    }
  })
})

describe('by SMTP', () => {
  let server: SmtpServer
  beforeAll(async () => {
    server = await startSmtpServer()
  })
  afterAll(() => server.close())
  beforeEach(() => configure(server.url))

  test('the mail arrives at its recipient', async () => {
    await mailer.send(MAIL, 'job-1')
    const received = server.received.at(-1)
    expect(received).toMatchObject({ from: 'no-reply@homing.test', to: ['ada@example.net'] })
    const mail = await PostalMime.parse(received?.text ?? '')
    expect(mail.text).toContain(URL_OF_LINK)
    expect(mail.messageId).toBe('<job-1@dns.example.net>')
  })

  test('several recipients in one field are refused', async () => {
    const count = server.received.length
    await mailer
      .send({ ...MAIL, to: 'ada@example.net, eve@example.net' }, 'job-1')
      .catch(() => undefined)
    expect(server.received.slice(count).flatMap(({ to }) => to)).not.toContain('eve@example.net')
  })

  test('a server that defers the mail, or is unavailable, is an error', async () => {
    server.putOff = 1
    await expect(mailer.send(MAIL, 'job-1')).rejects.toThrow('451')
    await mailer.send(MAIL, 'job-1')
    const nowhere = createMailer({ ...config, smtpUrl: new URL('smtp://127.0.0.1:1') })
    await expect(nowhere.send(MAIL, 'job-1')).rejects.toThrow('ECONNREFUSED')
  })
})
