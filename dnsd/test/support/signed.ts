/* Servers with keys, and requests signed with them. */
import { nameFromText, nameKey, ROOT_NAME } from '../../src/names/index.ts'
import { createResponder, type Transport } from '../../src/server/index.ts'
import { DEFAULT_SETTINGS, type TransferRule } from '../../src/settings/settings.ts'
import { TransferAccess } from '../../src/transfer/access.ts'
import { createSignedResponder } from '../../src/transfer/signed-responder.ts'
import type { TsigAlgorithm, TsigKey } from '../../src/wire/tsig-key.ts'
import { TsigSigner } from '../../src/wire/tsig-signature.ts'
import type { Zone } from '../../src/zone/index.ts'
import { SILENT_EVENTS } from './events.ts'
import { zonesOf } from './zone-text.ts'

export const SECRET = Buffer.from('a secret of thirty-two octets ok')

export function keyNamed(name: string, algorithm: TsigAlgorithm = 'hmac-sha256'): TsigKey {
  return { name: nameFromText(name, ROOT_NAME), algorithm, secret: SECRET }
}

/** Access with these keys and rules. */
export function accessOf(
  keys: readonly TsigKey[],
  transfers: readonly TransferRule[] = [],
): TransferAccess {
  const byName = new Map(keys.map((key) => [nameKey(key.name), key]))
  return new TransferAccess({ ...DEFAULT_SETTINGS, keys: byName, transfers })
}

/** Sends packets to these zones at a time that the test chooses. A fault of the server fails the test. */
export function sendingTo(zones: readonly Zone[], access: TransferAccess, nowSeconds: number) {
  const events = {
    ...SILENT_EVENTS,
    failed(error: unknown) {
      throw error
    },
  }
  const served = zonesOf(...zones)
  const respond = createSignedResponder({
    respond: createResponder(served, events),
    access: () => access,
    zones: served,
    events,
    nowSeconds: () => nowSeconds,
  })
  return (packet: Uint8Array, transport: Transport = 'udp'): Buffer => {
    const answer = respond(packet, transport, '192.0.2.1')
    if (answer === undefined) throw new Error('no answer')
    return answer
  }
}

/** A request with a signature, and the MAC with which its answer is checked. */
export function signedRequest(key: TsigKey, request: Buffer, atSeconds: number) {
  const signer = new TsigSigner(key)
  const octets = signer.sign(request, atSeconds)
  return { octets, mac: signer.mac ?? Buffer.alloc(0) }
}
