import type { SiteFrame } from '@homing/openapi/site'
import { MailLink } from '../MailLink.tsx'

/** The operator in a sentence. Without a name, a description that is always true. */
export const operatorName = ({ operator, productName }: SiteFrame): string =>
  operator.name ?? `the operator of ${productName}`

type ContactProps = Pick<SiteFrame, 'operator'>

/** How to reach the operator about a concern. */
export function Contact({ operator, kind }: ContactProps & { readonly kind: 'support' | 'abuse' }) {
  const address =
    kind === 'abuse' ? (operator.abuseEmail ?? operator.supportEmail) : operator.supportEmail
  return address === undefined ? <>the operator of this service</> : <MailLink to={address} />
}

/** Name, postal address and mail addresses of the operator, as far as they are known. */
export function OperatorDetails({ frame }: { readonly frame: SiteFrame }) {
  const { name, address, supportEmail, abuseEmail } = frame.operator
  if (name === undefined && address === undefined && supportEmail === undefined) {
    return (
      <p>
        {new URL(frame.origin).host} is run by a person or an organisation that has not published
        its name here yet. The person who gave you access to this service can tell you who it is.
      </p>
    )
  }
  return (
    <address>
      {name ?? `Operator of ${frame.productName}`}
      {address !== undefined && (
        <>
          <br />
          {address}
        </>
      )}
      {supportEmail !== undefined && (
        <>
          <br />
          Support: <MailLink to={supportEmail} />
        </>
      )}
      {abuseEmail !== undefined && (
        <>
          <br />
          Abuse reports: <MailLink to={abuseEmail} />
        </>
      )}
    </address>
  )
}
