/**
 * Zone transfers, whose answers take many messages: AXFR and IXFR over TCP (RFC 5936 §2.2, RFC 1995
 * §4).
 */
export interface TransferSource {
  /**
   * Starts a transfer. Messages are made as the client reads them; leaving the loop early ends it.
   *
   * @param packet the request; a view that is overwritten after this returns
   * @param client its address
   * @returns undefined for any other question, which is answered as over UDP
   */
  begin(packet: Uint8Array, client: string): AsyncIterable<Buffer> | undefined
}

/** For servers without zone transfers. */
export const NO_TRANSFERS: TransferSource = {
  begin: () => undefined,
}
