import type { SitePageData } from '@homing/openapi/site'
import { MailLink } from './MailLink.tsx'

/** The page of an error. The request id lets the operator find it in the log. */
export function ErrorPage({ status, title, detail, requestId, operator }: SitePageData<'error'>) {
  const { supportEmail } = operator
  return (
    <section className="notice-page">
      <p className="notice-code">{status}</p>
      <h1>{title}</h1>
      <p>{detail}</p>
      <p>
        Support: <MailLink to={supportEmail} subject={`Request ${requestId}`} />
      </p>
      <p className="muted">
        Request id: <code>{requestId}</code>
      </p>
      <ul className="link-list">
        <li>
          <a href="/?landing">Home page</a>
        </li>
      </ul>
    </section>
  )
}
