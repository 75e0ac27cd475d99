interface MailLinkProps {
  readonly to: string
  readonly subject?: string
  /** The text of the link. By default, the address. */
  readonly children?: string
  readonly className?: string
}

/** A link that opens a new mail. */
export function MailLink({ to, subject, children = to, className }: MailLinkProps) {
  const query = subject === undefined ? '' : `?subject=${encodeURIComponent(subject)}`
  return (
    <a href={`mailto:${to}${query}`} className={className}>
      {children}
    </a>
  )
}
