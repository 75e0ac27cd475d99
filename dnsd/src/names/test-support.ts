/* Shared by the tests of this folder: names of any octets, and the code of an expected error. */
import * as fc from 'fast-check'
import { NameError } from './name-error.ts'

/** Any legal name in wire form: up to 120 labels of any octets, cut where 255 octets are full. */
export function wireName(): fc.Arbitrary<Buffer> {
  const label = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 63 }),
    fc.uint8Array({ minLength: 1, maxLength: 2 }),
    fc.constantFrom('*', 'a', 'A', '.', '@', '\\', '"', ';').map((text) => Buffer.from(text)),
  )
  return fc.array(label, { maxLength: 120 }).map((labels) => {
    const parts: Uint8Array[] = []
    let octets = 1
    for (const each of labels) {
      if (octets + 1 + each.length > 255) continue
      octets += 1 + each.length
      parts.push(Uint8Array.of(each.length), each)
    }
    return Buffer.concat([...parts, Uint8Array.of(0)])
  })
}

/** The code of the NameError that `run` throws, or 'none'; any other error is thrown on. */
export function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof NameError) return error.code
    throw error
  }
  return 'none'
}

/**
 * Runs `run`. Errors of the given classes count as a valid result; other errors are thrown on.
 *
 * @returns what `run` returned, or undefined after an expected error
 */
export function allowing<T>(
  expected: readonly (abstract new (...given: never[]) => Error)[],
  run: () => T,
): T | undefined {
  try {
    return run()
  } catch (error) {
    if (expected.some((kind) => error instanceof kind)) return undefined
    throw error
  }
}

/** Octets from hexadecimal digits, in which spaces are ignored. */
export const octets = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
