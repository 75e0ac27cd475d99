/** The base of all errors of this client. The reason of an abort signal is thrown as it is. */
export class DnsClientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DnsClientError'
  }
}

/** The question or the address of a server is invalid. Nothing was sent. */
export class InvalidQuestion extends DnsClientError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InvalidQuestion'
  }
}
