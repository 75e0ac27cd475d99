/**
 * The key of the parent name; undefined for the root. A key is the canonical wire form as a latin1
 * string (`nameKey`), so its first character is the length of its leftmost label.
 */
export function parentKey(key: string): string | undefined {
  const labelBytes = key.charCodeAt(0)
  return labelBytes > 0 ? key.slice(1 + labelBytes) : undefined
}

/** The name of a key in wire form. */
export function keyOctets(key: string): Buffer {
  return Buffer.from(key, 'latin1')
}
