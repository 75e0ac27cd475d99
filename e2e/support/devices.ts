/**
 * Devices: what their firmware sends, octet by octet, and how it interprets the
 * response. The requests come from logs and sources of these devices; the
 * parsers are small models of their code.
 */
import { headerOf, type RawAnswer } from './raw-connection.ts'

/** The user's settings, and the current addresses of the device. */
export interface Order {
  /** The value of the `Host` header: `127.0.0.1:8080`. */
  readonly server: string
  readonly name: string
  readonly username: string
  readonly secret: string
  readonly ipv4: string
  readonly ipv6: string
}

/** What a device reports, or does next. */
export type Conclusion =
  | 'updated'
  /** Reports to its owner that the user name or password is wrong. */
  | 'wrong credentials'
  /** Reports another error to its owner, and tries again at its next interval. */
  | 'failed'
  /** Tries again soon, without a report. */
  | 'tries again'

export type Case = 'good' | 'nochg' | 'badauth' | 'nohost' | 'busy'

export interface Device {
  readonly device: string
  /** Sends credentials only after the server asked for them, on the same connection. */
  readonly waitsForChallenge?: true
  /** The address families that it sends. */
  readonly families: readonly (4 | 6)[]
  /** @param authorization the header line; empty on the first attempt of a device that waits for a challenge */
  request(order: Order, authorization: string): string
  read(answer: RawAnswer, order: Order): Conclusion
  readonly concludes: Readonly<Record<Case, Conclusion>>
}

/** The header line with HTTP Basic credentials. */
export const basicLine = ({ username, secret }: Order) =>
  `Authorization: Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}\r\n`

const isSuccess = ({ status }: RawAnswer) => status >= 200 && status < 300

/**
 * inadyn, which UniFi gateways run: the status line must have a reason phrase, and the
 * first keyword anywhere in the body decides.
 */
function readAsInadyn({ statusLine, body }: RawAnswer): Conclusion {
  const [, status = '0'] = /^HTTP\/\d\.\d (\d+) \S/.exec(statusLine) ?? []
  if (status === '401' || status === '403') return 'wrong credentials'
  if (status.startsWith('5')) return 'tries again'
  if (status !== '200') return 'failed'
  if (/good|nochg|OK/.test(body)) return 'updated'
  return /dnserr|911|abuse/.test(body) ? 'tries again' : 'failed'
}

/** ddclient before 3.10, which older UniFi gateways run: the word before the first space of each line. */
function readAsDdclient({ statusLine, body }: RawAnswer): Conclusion {
  if (/^HTTP\/1\.\d 401/.test(statusLine)) return 'wrong credentials'
  if (!/^HTTP\/1\.\d 2\d\d/.test(statusLine)) return 'tries again'
  const lines = body.trimEnd().split('\n')
  return lines.every((line) => /^(good|nochg)( |$)/.test(line)) ? 'updated' : 'failed'
}

/** What most devices conclude. The others define their own conclusions. */
const USUAL: Device['concludes'] = {
  good: 'updated',
  nochg: 'updated',
  badauth: 'wrong credentials',
  nohost: 'failed',
  busy: 'failed',
}

export const DEVICES: readonly Device[] = [
  {
    // The device does not escape placeholders in the URL. All models send the same User-Agent.
    device: 'FRITZ!Box, user-defined provider with both families',
    families: [4, 6],
    request: ({ server, name, ipv4, ipv6 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${ipv4}&myipv6=${ipv6} HTTP/1.1\r\nHost: ${server}\r\n` +
      `User-Agent: Fritz!Box DDNS/1.0.1\r\n${authorization}Accept: */*\r\nConnection: close\r\n\r\n`,
    // It expects its own address after the keyword. Then it resolves the domain; the test does this for every device.
    read({ status, body }, { ipv4 }) {
      if (status === 401) return 'wrong credentials'
      const [code, addresses = ''] = body.trim().split(' ')
      const isDone = status === 200 && (code === 'good' || code === 'nochg')
      return isDone && addresses.split(',').includes(ipv4) ? 'updated' : 'failed'
    },
    concludes: USUAL,
  },
  {
    device: 'FRITZ!Box, all of it in the URL',
    families: [6],
    request: ({ server, name, username, secret, ipv6 }) =>
      `GET /nic/update?user=${username}&pass=${secret}&domain=${name}&ip6addr=${ipv6}&dualstack=1 HTTP/1.1\r\n` +
      `Host: ${server}\r\nUser-Agent: Fritz!Box DDNS/1.0.1\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    read({ status, body }, { ipv6 }) {
      if (status === 401) return 'wrong credentials'
      return status === 200 && /^(good|nochg) /.test(body) && body.includes(ipv6)
        ? 'updated'
        : 'failed'
    },
    concludes: USUAL,
  },
  {
    // Its form prepends `/` to the entered path, which already starts with a slash.
    device: 'UniFi gateway (inadyn)',
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET //nic/update?hostname=${name}&myip=${ipv4} HTTP/1.0\r\nHost: ${server}\r\n` +
      `${authorization}User-Agent: inadyn/2.9.1 https://github.com/troglobit/inadyn/issues\r\n\r\n`,
    read: readAsInadyn,
    concludes: { ...USUAL, busy: 'tries again' },
  },
  {
    // The template of newer gateways is entered as the server name, so the name appears twice.
    device: 'UniFi USG (ddclient)',
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?system=dyndns&hostname=${name}&hostname=${name}&myip=${ipv4} HTTP/1.0\r\n` +
      `Host: ${server}\r\n${authorization}User-Agent: ddclient/3.9.1\r\nConnection: close\r\n\r\n`,
    read: readAsDdclient,
    concludes: { ...USUAL, busy: 'tries again' },
  },
  {
    device: 'Synology DSM, custom provider',
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${ipv4} HTTP/1.1\r\nHost: ${server}\r\n${authorization}Accept: */*\r\n\r\n`,
    // A response without one of its keywords is "an unknown error", although the update was stored.
    read({ body }) {
      const [word = ''] = body.split(/\s/)
      if (word === 'badauth') return 'wrong credentials'
      return word === 'good' || word === 'nochg' ? 'updated' : 'failed'
    },
    concludes: USUAL,
  },
  {
    // curl with CURLAUTH_ANY: the first request has no credentials.
    device: 'pfSense, custom service with "good %IP%|nochg %IP%"',
    waitsForChallenge: true,
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${ipv4} HTTP/1.1\r\nHost: ${server}\r\n${authorization}` +
      `User-Agent: phpDynDNS/0.7\r\nAccept: */*\r\n\r\n`,
    read({ body }, { ipv4 }) {
      const text = body.trim()
      return text === `good ${ipv4}` || text === `nochg ${ipv4}` ? 'updated' : 'failed'
    },
    concludes: { ...USUAL, badauth: 'failed' },
  },
  {
    device: 'pfSense, service of Dyn’s kind',
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?system=dyndns&hostname=${name}&myip=${ipv4}&wildcard=OFF&mx=&backmx=NO HTTP/1.1\r\n` +
      `Host: ${server}\r\n${authorization}User-Agent: phpDynDNS/0.7\r\nAccept: */*\r\n\r\n`,
    read({ body }) {
      if (/badauth/i.test(body)) return 'wrong credentials'
      return /^(good|nochg)/i.test(body) ? 'updated' : 'failed'
    },
    concludes: USUAL,
  },
  {
    // Python's requests escapes parameters and accepts compression, which the service must not use here.
    device: 'OPNsense, native backend',
    families: [6],
    request: ({ server, name, ipv6 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${encodeURIComponent(ipv6)}&wildcard=NOCHG HTTP/1.1\r\n` +
      `Host: ${server}\r\nUser-Agent: OPNsense-dyndns\r\nAccept-Encoding: gzip, deflate\r\nAccept: */*\r\n` +
      `Connection: keep-alive\r\n${authorization}\r\n`,
    // Only the status counts. After any 2xx it sends nothing until the address changes.
    read: (answer) => (isSuccess(answer) ? 'updated' : 'tries again'),
    concludes: { ...USUAL, badauth: 'tries again', nohost: 'updated', busy: 'tries again' },
  },
  {
    // GNU wget sends the credentials of a URL only after a challenge.
    device: 'OpenWrt ddns-scripts (wget)',
    waitsForChallenge: true,
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${ipv4} HTTP/1.1\r\nHost: ${server}\r\nUser-Agent: Wget/1.21.4\r\n` +
      `Accept: */*\r\nAccept-Encoding: identity\r\n${authorization}Connection: Keep-Alive\r\n\r\n`,
    // wget fails on any other status. The script then searches the whole output for the keywords.
    read: (answer) =>
      isSuccess(answer) && /good|nochg/i.test(answer.body) ? 'updated' : 'tries again',
    concludes: { ...USUAL, badauth: 'tries again', nohost: 'tries again', busy: 'tries again' },
  },
  {
    device: 'MikroTik RouterOS, a script with /tool fetch',
    families: [4],
    request: ({ server, name, ipv4 }, authorization) =>
      `GET /nic/update?hostname=${name}&myip=${ipv4} HTTP/1.1\r\nHost: ${server}\r\n${authorization}` +
      `User-Agent: Mikrotik/6.x Fetch\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    // A status other than 2xx ends the script. Most scripts search for the keywords at the start of the file.
    read: (answer) =>
      isSuccess(answer) && /^(good|nochg)/.test(answer.body) ? 'updated' : 'failed',
    concludes: { ...USUAL, badauth: 'failed' },
  },
]

/** Whether the response is a challenge that makes curl and wget send credentials. */
export const isChallenge = (answer: RawAnswer): boolean =>
  answer.status === 401 && headerOf(answer, 'www-authenticate')?.startsWith('Basic realm=') === true
