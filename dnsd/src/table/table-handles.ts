/** What another thread needs to read the table: shared memory alone, which a message carries without copying. */
export interface TableHandles {
  readonly control: SharedArrayBuffer
  /** Of the hash; see `newHashKey`. */
  readonly hashKey: SharedArrayBuffer
  readonly segments: readonly SharedArrayBuffer[]
  readonly index: SharedArrayBuffer
}
