import { readFileSync } from 'node:fs'

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      { readonly resolved?: string; readonly link?: boolean; readonly integrity?: string }
    >
  >
}

/** Findings in `package-lock.json`: each package must have an integrity and must not name its registry. */
export function lockFileFindings(root: string): string[] {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as LockFile
  const findings: string[] = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    const installed = path.includes('node_modules/') && entry.link !== true
    if (/^[a-z+]+:\/\//.test(entry.resolved ?? '')) {
      findings.push(`${path} names the URL of its download: ${entry.resolved}`)
    }
    if (installed && entry.integrity === undefined) findings.push(`${path} has no integrity`)
  }
  return findings
}
