/* The library is written in TypeScript and published without its types. */
declare module 'siphash' {
  const siphash: {
    /**
     * SipHash-2-4.
     *
     * @param key 128 bits as four words, little endian
     * @returns the upper and the lower half of the result
     */
    hash(key: Uint32Array, octets: Uint8Array): { readonly h: number; readonly l: number }
  }
  export default siphash
}
