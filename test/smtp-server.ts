/**
 * A mail server for tests: the part of SMTP (RFC 5321) and AUTH (RFC 4954) that a client needs which delivers one mail
 * after another.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  /** The user name and password of the client; undefined when it did not sign in. */
  readonly login: string | undefined
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

export interface SmtpServer {
  readonly url: URL
  readonly received: readonly ReceivedMail[]
  /** How many of the next mails are deferred with 451. */
  putOff: number
  close(): Promise<void>
}

/** The session of one client, line by line. */
class Conversation {
  readonly #socket: Socket
  readonly #server: { received: ReceivedMail[]; putOff: number }
  #login: string | undefined
  #from = ''
  #to: string[] = []
  #lines: string[] | undefined

  constructor(socket: Socket, server: { received: ReceivedMail[]; putOff: number }) {
    this.#socket = socket
    this.#server = server
    this.#say('220 test')
  }

  #say(line: string): void {
    this.#socket.write(`${line}\r\n`)
  }

  hear(line: string): void {
    if (this.#lines !== undefined) this.#hearContent(line)
    else this.#hearCommand(line)
  }

  #hearContent(line: string): void {
    if (line !== '.') {
      this.#lines?.push(line.replace(/^\./, ''))
      return
    }
    const text = (this.#lines ?? []).join('\n')
    this.#lines = undefined
    if (this.#server.putOff > 0) {
      this.#server.putOff -= 1
      this.#say('451 later')
      return
    }
    this.#server.received.push({ login: this.#login, from: this.#from, to: this.#to, text })
    this.#say('250 taken')
  }

  #hearCommand(line: string): void {
    const [, verb = '', address = ''] = /^(\w+)(?:[^<]*<([^>]*)>)?/.exec(line) ?? []
    switch (verb.toUpperCase()) {
      case 'EHLO':
        this.#say('250-test')
        this.#say('250 AUTH PLAIN')
        return
      case 'AUTH':
        // RFC 4616: user name and password, each after a NUL, as Base64.
        this.#login = Buffer.from(line.split(' ').at(-1) ?? '', 'base64')
          .toString()
          .split('\0')
          .slice(1)
          .join(':')
        this.#say('235 ok')
        return
      case 'MAIL':
        this.#from = address
        this.#to = []
        break
      case 'RCPT':
        this.#to.push(address)
        break
      case 'DATA':
        this.#lines = []
        this.#say('354 go on')
        return
      case 'QUIT':
        this.#socket.end('221 bye\r\n')
        return
      default:
    }
    this.#say('250 ok')
  }
}

/** Listens on a free port of this machine. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const state = { received: [] as ReceivedMail[], putOff: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const conversation = new Conversation(socket, state)
    let rest = ''
    socket.on('data', (octets) => {
      const lines = (rest + octets.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) conversation.hear(line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: new URL(`smtp://127.0.0.1:${port}`),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
}
