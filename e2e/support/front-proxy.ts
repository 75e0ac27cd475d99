/** nginx and Caddy with the configurations of docs/deploy, except for the ports, the certificate and the addresses of the parts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, selfSigned } from './certificate.ts'
import { ROOT } from './stack.ts'

export const HOST = 'dns.example.net'

export interface FrontPorts {
  readonly https: number
  readonly http: number
  /** Replaces port 8245. */
  readonly http8245: number
  readonly api: number
  readonly forwarder: number
}

export interface FrontProxy {
  readonly certificate: Certificate
  readonly process: ChildProcess
  readonly log: () => string
  stop(): Promise<void>
}

/** Replaces `from`, which the configuration must contain. */
function replaced(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to)
  if (result === text) throw new Error(`the configuration has no ${from}`)
  return result
}

const example = (name: string) => readFileSync(join(ROOT, 'docs/deploy', name), 'utf8')

interface Place {
  readonly folder: string
  readonly ports: FrontPorts
  readonly certificate: Certificate
}

/** nginx keeps its files in `folder`, so that it also runs for a user without write access to /var. */
function nginxCommand({ folder, ports, certificate }: Place): string[] {
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${ports.api};`],
    ['server 127.0.0.1:8088;', `server 127.0.0.1:${ports.forwarder};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 80 default_server;', `listen 127.0.0.1:${ports.http} default_server;`],
    ['listen 8245;', `listen 127.0.0.1:${ports.http8245};`],
    [/ *listen \[::\].*\n/g, ''],
    ['/etc/ssl/homing/fullchain.pem', certificate.certFile],
    ['/etc/ssl/private/homing.pem', certificate.keyFile],
  ]
  const site = changes.reduce((text, [from, to]) => replaced(text, from, to), example('nginx.conf'))
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
     http { access_log off; ${temporary} include ${folder}/site.conf; }`,
  )
  return ['nginx', '-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
}

function caddyCommand({ folder, ports, certificate }: Place): string[] {
  const { certFile, keyFile } = certificate
  const tls = `https://ipv6.${HOST} {\n\ttls ${certFile} ${keyFile}`
  const changes: readonly (readonly [string | RegExp, string])[] = [
    [`https://ipv6.${HOST} {`, tls],
    ['http://:8245', `http://:${ports.http8245}`],
  ]
  const site = changes.reduce((text, [from, to]) => replaced(text, from, to), example('Caddyfile'))
  const global = `{\n\tadmin off\n\thttp_port ${ports.http}\n\thttps_port ${ports.https}\n}\n`
  writeFileSync(join(folder, 'Caddyfile'), global + site)
  return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

const COMMANDS = { nginx: nginxCommand, caddy: caddyCommand } as const
export type FrontName = keyof typeof COMMANDS

/** Starts the proxy in the foreground. It can take a moment to listen. */
export function startFrontProxy(name: FrontName, folder: string, ports: FrontPorts): FrontProxy {
  const certificate = selfSigned(folder, [HOST, `ipv4.${HOST}`, `ipv6.${HOST}`])
  const [program = name, ...words] = COMMANDS[name]({ folder, ports, certificate })
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      HOMING_API: `127.0.0.1:${ports.api}`,
      HOMING_FORWARDER: `127.0.0.1:${ports.forwarder}`,
    },
  })
  let logged = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (logged += text))
  return {
    certificate,
    process: child,
    log: () => logged,
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
