import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  /** PEM for servers. A client with `cert` as its CA trusts the server. */
  readonly key: Buffer
  readonly cert: Buffer
  readonly keyFile: string
  readonly certFile: string
}

/** Creates a key and a self-signed certificate for `hosts`. It is valid for one day. Requires `openssl`. */
export function selfSigned(folder: string, hosts: readonly [string, ...string[]]): Certificate {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const names = hosts.map((host) => `DNS:${host}`).join()
  const subject = ['-subj', `/CN=${hosts[0]}`, '-addext', `subjectAltName=${names}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-nodes', '-days', '1', ...subject, ...files],
    {
      stdio: 'pipe',
    },
  )
  return { key: readFileSync(keyFile), cert: readFileSync(certFile), keyFile, certFile }
}
