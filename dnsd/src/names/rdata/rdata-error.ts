/** Invalid RDATA, from text or from the wire. The message names the field and is written for the person who typed it. */
export class RdataError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RdataError'
  }
}
