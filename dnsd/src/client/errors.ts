/** Whatever this client throws, but for the reason of an abort signal. */
export class DnsClientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DnsClientError'
  }
}

/** The question, or where to ask it, is wrong. Nothing was sent. */
export class InvalidQuestion extends DnsClientError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InvalidQuestion'
  }
}
