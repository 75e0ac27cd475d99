import { isLater } from './control.ts'

/** Keeps the octets of all entries of one moment until it is released. */
export interface Pin {
  readonly epoch: number
  /** Whether entries of its moment may be gone, because it held back too much for too long. */
  readonly isLost: boolean
}

/** The pins of slow reads on the writing thread. */
export class Pins {
  // Oldest first.
  readonly #pins = new Set<{ readonly epoch: number; isLost: boolean }>()

  add(epoch: number): Pin {
    const pin = { epoch, isLost: false }
    this.#pins.add(pin)
    return pin
  }

  release(pin: Pin): void {
    this.#pins.delete(pin)
  }

  /** Whether entries removed in an epoch may still be read. */
  holds(epoch: number): boolean {
    const [oldest] = this.#pins
    return oldest !== undefined && !isLater(oldest.epoch, epoch)
  }

  /** Drops the pin that holds back most. */
  loseOldest(): void {
    const [oldest] = this.#pins
    if (oldest === undefined) return
    oldest.isLost = true
    this.#pins.delete(oldest)
  }
}
