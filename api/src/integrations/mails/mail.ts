/** A mail, as templates write it. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** One mail in the form that all have: a greeting, what happened, what to do, and why it was sent. */
export interface MailParts {
  readonly to: string
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly link?: { readonly label: string; readonly url: string }
  readonly footer: string
}
