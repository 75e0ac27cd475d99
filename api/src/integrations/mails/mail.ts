/** A mail, ready to be sent. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The parts of every mail: a greeting, what happened, what to do, and why it was sent. */
export interface MailParts {
  readonly to: string
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly link?: { readonly label: string; readonly url: string }
  readonly footer: string
}
