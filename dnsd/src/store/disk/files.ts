import type * as promises from 'node:fs/promises'

export type FileHandle = Pick<
  promises.FileHandle,
  'read' | 'write' | 'truncate' | 'datasync' | 'sync' | 'close' | 'stat'
>

/** The calls that access the disk. Tests make them fail or end the process at a chosen moment. */
export interface Files {
  open(path: string, flags: string): Promise<FileHandle>
  readdir(path: string): Promise<string[]>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { force: true }): Promise<void>
}

/** Makes new file names in a folder durable (fsync of the folder itself). */
export async function syncFolder(files: Files, folder: string): Promise<void> {
  const handle = await files.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes all octets. A single system call may write only a part. */
export async function writeAll(file: FileHandle, octets: Buffer, atBytes: number): Promise<void> {
  for (let written = 0; written < octets.length;) {
    const rest = octets.length - written
    written += (await file.write(octets, written, rest, atBytes + written)).bytesWritten
  }
}
