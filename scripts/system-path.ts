/**
 * Name servers and network tools are in `/usr/sbin` and `/sbin`, which the PATH of
 * an ordinary user on Debian lacks. Importing this module makes them findable for
 * this process and the processes that it starts.
 */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** A PATH that ends with the system folders it lacked; folders keep their order. */
export function withSystemFolders(path: string): string {
  const folders = path.split(':').filter((folder) => folder !== '')
  return [...folders, ...SYSTEM_FOLDERS.filter((folder) => !folders.includes(folder))].join(':')
}

process.env['PATH'] = withSystemFolders(process.env['PATH'] ?? '')
