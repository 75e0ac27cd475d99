/** Mail servers repeat the recipient when they refuse a mail; logs and failed jobs must not contain mail addresses. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer, type Mailer } from './mailer.ts'

const TO = 'ada.lovelace+dns@mail.example.net'
/** Refusals of unknown recipients by various servers. */
const REFUSALS = [
  `550 5.1.1 <${TO}>: Recipient address rejected: User unknown in virtual mailbox table`,
  `550 No such user here "${TO}"`,
  `554-5.7.1 ${TO}\r\n554 5.7.1 (${TO}): Relay access denied; from=<no-reply@homing.test> to=<${TO}>`,
]

let server: Server
let mailer: Mailer
let refusal = ''

beforeAll(async () => {
  server = createServer((socket) => {
    socket.write('220 test\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (octets) => {
      socket.write(octets.toString().startsWith('RCPT') ? `${refusal}\r\n` : '250 ok\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  mailer = createMailer({
    smtpUrl: new URL(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`),
    mailFrom: 'Homing <no-reply@homing.test>',
    dataDir: '/nowhere',
    publicUrl: new URL('https://dns.example.net'),
  })
})
afterAll(() => {
  mailer.close()
  server.close()
})

test.each(REFUSALS)('%s', async (said) => {
  refusal = said
  const mail = { to: TO, subject: 'x', text: 'x', html: 'x' }
  const error: unknown = await mailer.send(mail, 'job-1').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'MailNotTaken', code: 'EENVELOPE', command: 'RCPT TO' })
  const told = [
    inspect(error, { depth: 9, showHidden: true }),
    JSON.stringify(pino.stdSerializers.err(error as Error)),
  ]
  for (const text of told) {
    expect(text).toContain(said.slice(0, 3))
    expect(text).not.toMatch(/ada|example\.net/)
  }
})
