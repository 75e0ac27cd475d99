/** Octets of COPY in binary form, as PostgreSQL writes them. */
export const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])
export const TRAILER = Buffer.from([0xff, 0xff])

export function int32(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeInt32BE(value)
  return octets
}

function field(value: Buffer | null): Buffer {
  return value === null ? int32(-1) : Buffer.concat([int32(value.length), value])
}

function array(texts: string[]): Buffer {
  const head = [1, 0, 25, texts.length, 1].map(int32)
  return Buffer.concat([...head, ...texts.map((text) => field(Buffer.from(text)))])
}

/** A row of `owner, type, ttl, rdata`; without a type the last three are null. */
export function copyRow(owner: string, type: string | null, ttl = 0, rdata: string[] = []): Buffer {
  const fields = [
    Buffer.from(owner),
    type === null ? null : Buffer.from(type),
    type === null ? null : int32(ttl),
    type === null ? null : array(rdata),
  ]
  return Buffer.concat([Buffer.from([0, 4]), ...fields.map(field)])
}
