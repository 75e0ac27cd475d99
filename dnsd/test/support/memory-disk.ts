import { basename } from 'node:path'
import type { FileHandle, Files } from '../../src/store/disk/files.ts'

/** A file: the contents that programs see, and the contents on the disk. */
interface StoredFile {
  octets: Buffer
  synced: Buffer
}

/** What survives a crash: after a kill everything that was written, after a power failure what was synced. */
export type Crash = 'kill' | 'power-failure'

/**
 * A disk in memory that can stop at a chosen operation, as if the process had been killed in it: a write is half done,
 * and no operation in progress ever ends.
 */
export class MemoryDisk implements Files {
  #names = new Map<string, StoredFile>()
  #syncedNames = new Map<string, StoredFile>()
  #operations = 0
  /** The operation in which it stops. */
  diesAt = Infinity
  /** Fails writes while it returns an error. */
  fault: () => Error | undefined = () => undefined
  /** Fails to open, read or remove a file while it returns an error. */
  accessFault: (name: string) => Error | undefined = () => undefined
  /** Fails syncs of a file while it returns an error. Data that was to be synced stays unsynced. */
  syncFault: (name: string) => Error | undefined = () => undefined
  /** Awaited before each write. */
  beforeWrite: (name: string) => Promise<void> = async () => undefined
  readonly died = Promise.withResolvers<void>()
  onSynced: (path: string) => void = () => undefined

  get operations(): number {
    return this.#operations
  }

  /** A new disk with the contents of this one after the crash. */
  after(crash: Crash): MemoryDisk {
    const next = new MemoryDisk()
    const names = crash === 'kill' ? this.#names : this.#syncedNames
    for (const [name, file] of names) {
      const octets = Buffer.from(crash === 'kill' ? file.octets : file.synced)
      const same = { octets, synced: Buffer.from(octets) }
      next.#names.set(name, same)
      next.#syncedNames.set(name, same)
    }
    return next
  }

  names(): string[] {
    return [...this.#names.keys()].toSorted()
  }

  /** The octets of a file, for inspection or damage. */
  contents(name: string): Buffer {
    const file = this.#names.get(name)
    if (file === undefined) throw new Error(`${name} is not there`)
    return file.octets
  }

  replace(name: string, octets: Buffer): void {
    const file = { octets, synced: octets }
    this.#names.set(name, file)
    this.#syncedNames.set(name, file)
  }

  async readdir(): Promise<string[]> {
    await this.#step()
    return this.names()
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step()
    const file = this.#file(from)
    this.#names.delete(basename(from))
    this.#names.set(basename(to), file)
  }

  async rm(path: string): Promise<void> {
    await this.#step()
    this.#requireAccess(basename(path))
    this.#names.delete(basename(path))
  }

  async open(path: string, flags: string): Promise<FileHandle> {
    await this.#step()
    const name = basename(path)
    if (!name.includes('-')) return this.#folderHandle()
    this.#requireAccess(name)
    const exists = this.#names.has(name)
    if (flags.includes('x') && exists) throw systemError('EEXIST', name)
    if (!flags.startsWith('w') && !exists) throw systemError('ENOENT', name)
    if (flags.startsWith('w')) {
      this.#names.set(name, { octets: Buffer.alloc(0), synced: Buffer.alloc(0) })
    }
    return this.#handle(name, this.#file(name))
  }

  #requireAccess(name: string): void {
    const error = this.accessFault(name)
    if (error !== undefined) throw error
  }

  #file(path: string): StoredFile {
    const file = this.#names.get(basename(path))
    if (file === undefined) throw systemError('ENOENT', path)
    return file
  }

  #handle(name: string, file: StoredFile): FileHandle {
    const sync = async (): Promise<void> => {
      const octets = Buffer.from(file.octets)
      await this.#step()
      const error = this.syncFault(name)
      if (error !== undefined) throw error
      file.synced = octets
      this.onSynced(name)
    }
    const calls = {
      read: async (into: Buffer, at: number, length: number, position: number) => {
        await this.#step()
        this.#requireAccess(name)
        const bytesRead = file.octets.copy(into, at, position, position + length)
        return { bytesRead, buffer: into }
      },
      write: async (from: Buffer, at: number, length: number, position: number) => {
        await this.beforeWrite(name)
        const error = this.fault()
        if (error !== undefined) throw error
        const octets = from.subarray(at, at + length)
        await this.#step(() => put(file, octets.subarray(0, length >> 1), position))
        put(file, octets, position)
        return { bytesWritten: length, buffer: from }
      },
      truncate: async (length: number) => {
        await this.#step()
        file.octets = Buffer.from(file.octets.subarray(0, length))
      },
      stat: async () => ({ size: file.octets.length }),
      sync,
      datasync: sync,
      close: async () => this.#step(),
    }
    return calls as unknown as FileHandle
  }

  #folderHandle(): FileHandle {
    const sync = async (): Promise<void> => {
      const names = new Map(this.#names)
      await this.#step()
      this.#syncedNames = names
    }
    return { sync, close: async () => this.#step() } as unknown as FileHandle
  }

  /** One operation. The operation in which the disk stops runs `half` and never ends, like all after it. */
  async #step(half?: () => void): Promise<void> {
    this.#operations += 1
    if (this.#operations < this.diesAt) return
    if (this.#operations === this.diesAt) half?.()
    this.died.resolve()
    await new Promise<never>(() => undefined)
  }
}

function put(file: StoredFile, octets: Buffer, position: number): void {
  const end = Math.max(file.octets.length, position + octets.length)
  const larger = Buffer.alloc(end)
  file.octets.copy(larger)
  octets.copy(larger, position)
  file.octets = larger
}

export function systemError(code: string, what: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${what}`), { code })
}
