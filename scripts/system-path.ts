/**
 * Name servers and network tools are in `/usr/sbin` and `/sbin`, which are not in the
 * PATH of an ordinary user on Debian. Importing this module adds them to the PATH of
 * this process and of the processes that it starts.
 */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** A PATH with the missing system folders at its end; folders keep their order. */
export function withSystemFolders(path: string): string {
  const folders = path.split(':').filter((folder) => folder !== '')
  return [...folders, ...SYSTEM_FOLDERS.filter((folder) => !folders.includes(folder))].join(':')
}

process.env['PATH'] = withSystemFolders(process.env['PATH'] ?? '')
