/** What another thread needs to read the table: only shared memory, which a message passes without copying. */
export interface TableHandles {
  readonly control: SharedArrayBuffer
  /** The key of the hash; see `newHashKey`. */
  readonly hashKey: SharedArrayBuffer
  readonly segments: readonly SharedArrayBuffer[]
  readonly index: SharedArrayBuffer
}
