import type { SiteFrame } from '@homing/openapi/site'
import { MailLink } from '../MailLink.tsx'

/** The operator in a sentence. Without a name, a description that is always true. */
export const operatorName = ({ operator, productName }: SiteFrame): string =>
  operator.name ?? `the operator of ${productName}`

type ContactProps = Pick<SiteFrame, 'operator'>

/** How to reach the operator about a concern. */
export function Contact({ operator, kind }: ContactProps & { readonly kind: 'support' | 'abuse' }) {
  return <MailLink to={kind === 'abuse' ? operator.abuseEmail : operator.supportEmail} />
}

/** Name and postal address of the operator, as far as they are known, and the mail addresses. */
export function OperatorDetails({ frame }: { readonly frame: SiteFrame }) {
  const { name, address, supportEmail, abuseEmail } = frame.operator
  return (
    <address>
      {name ?? `Operator of ${frame.productName}`}
      {address !== undefined && (
        <>
          <br />
          {address}
        </>
      )}
      <br />
      Support: <MailLink to={supportEmail} />
      <br />
      Abuse reports: <MailLink to={abuseEmail} />
    </address>
  )
}
